import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { furnishScreens, type Furnished } from './furnish-screens.ts';
import { someScreens } from './screens.ts';
import { expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();
let org: TestOrg;
let ids: Furnished;
beforeAll(async () => {
  org = await dashboard().world.newOrg();
  ids = await furnishScreens(org);
});
const most = 80;

const isFocused = async (page: Page, one: Locator): Promise<boolean> =>
  (await one.and(page.locator(':focus')).count()) > 0;

/** Presses Tab until it is there, as somebody without a mouse does. */
async function tabTo(page: Page, there: Locator): Promise<void> {
  await there.waitFor();
  for (let pressed = 0; pressed < most; pressed++) {
    if (await isFocused(page, there)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${String(there)} is not reached by Tab`);
}

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

test('a person is found, opened, opted out and taken back by keyboard alone', async () => {
  const page = await dashboard().visit(org, '/people');
  await page.getByRole('link', { name: /Grace/ }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('grace@');
  await page.keyboard.press('Enter');
  await page.getByText('1 person').waitFor();
  await tabTo(page, page.getByRole('link', { name: /Grace/ }));
  await page.keyboard.press('Enter');
  await page.getByRole('complementary', { name: 'Grace' }).waitFor();
  await tabTo(page, button(page, 'Opt out').first());
  await page.keyboard.press('Enter');
  await page.getByText('Grace is opted out of email').waitFor();
  await tabTo(page, button(page, 'Undo'));
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByText('opted out', { exact: true }).count()).toBe(0);
  await page.getByRole('main').focus();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('complementary').count()).toBe(0);
  expectNoTrouble();
});

test('a segment is made by keyboard alone', async () => {
  const page = await dashboard().visit(org, '/segments');
  await tabTo(page, page.getByRole('link', { name: 'Make a segment' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Name'));
  await page.keyboard.type('Called Ada');
  await tabTo(page, page.getByLabel('Field of condition 1'));
  await page.keyboard.type('First name');
  await tabTo(page, page.getByLabel('Comparison of condition 1'));
  await page.keyboard.type('contains');
  await tabTo(page, page.getByLabel('Value of condition 1'));
  await page.keyboard.type('Ada');
  const members = page.getByRole('complementary', { name: 'Who is in it' });
  await members.getByText('1', { exact: true }).first().waitFor();
  await page.keyboard.press('Enter');
  await members.getByRole('link', { name: 'See everybody in it' }).waitFor();
  expectNoTrouble();
});

test('a key is made and somebody invited by keyboard alone; a dialog gives the focus back', async () => {
  const org = await dashboard().world.newOrg();
  const page = await dashboard().visit(org, '/settings/keys');
  await tabTo(page, button(page, 'Make a key'));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('What it is for'));
  await page.keyboard.type('Website forms');
  await tabTo(page, page.getByLabel(/See people/));
  await page.keyboard.press('Space');
  await tabTo(page, button(page, 'Make the key'));
  await page.keyboard.press('Enter');
  await page.getByText('it is shown this once').waitFor();
  await tabTo(page, page.getByRole('link', { name: 'Members' }).first());
  await page.keyboard.press('Enter');
  const invite = button(page, 'Invite');
  await tabTo(page, invite);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Invite somebody' });
  await tabTo(page, dialog.getByLabel('Email'));
  await page.keyboard.press('Escape');
  await expect.poll(() => isFocused(page, invite)).toBe(true);
  await page.keyboard.press('Enter');
  await tabTo(page, dialog.getByLabel('Email'));
  await page.keyboard.type('lou@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('Invited, until').waitFor();
  expectNoTrouble();
});

test('a step that the address opened leaves the focus alone, and one that is chosen takes it', async () => {
  const page = await dashboard().visit(org, `/workflows/${ids.workflow}?view=list&step=missed`);
  const heading = page.getByRole('heading', { name: 'missed' });
  await heading.waitFor();
  expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
  await button(page, 'Close').click();
  await heading.waitFor({ state: 'detached' });
  await page
    .getByRole('button', { name: /missed/ })
    .first()
    .click();
  await expect.poll(() => isFocused(page, heading)).toBe(true);
  expectNoTrouble();
});

/** Whatever can be used and is seen, and not reached by Tab. Tabs are one stop, and so are the steps of a graph: arrows go on. */
const unreachable = `(() => {
  const usable = [...document.querySelectorAll('a[href], button, input, select, textarea, [tabindex="0"]')];
  const isStop = document.querySelector('.graph [tabindex="0"]') !== null;
  const inGraph = (one) => isStop && one.closest('.graph') !== null;
  return usable.filter((one) => one.tabIndex < 0 && one.offsetParent !== null && one.getAttribute('role') !== 'tab' && !inGraph(one))
    .map((one) => one.outerHTML.slice(0, 120));
})()`;

test.each(someScreens)('everything on the screen $name is reached by Tab', async ({ path, shows }) => {
  const page = await dashboard().visit(org, path(ids));
  await shows(page).waitFor();
  expect(await page.evaluate(unreachable)).toEqual([]);
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'To the content' });
  expect(await isFocused(page, skip)).toBe(true);
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('content');
});
