import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newMember } from '../support/member.ts';
import { expectAccessible, expectAccessibleToo, expectNoTrouble, themes, useDashboard } from './visit.ts';

const dashboard = useDashboard();

/** The text inside of the frame, as it is rendered. */
const shown = (page: Page) => page.frameLocator('iframe').locator('body');

test('the layout is written by keyboard alone, shown as it will be before it is saved, saved, and undone', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const page = await visit(org, '/settings/layout');
  await page.getByText('Without a postal address no email can be scheduled.').waitFor();
  await shown(page).getByText('A heading').waitFor();
  await expectAccessibleToo(page);
  await page.getByLabel('Company').focus();
  await page.keyboard.type('Example Academy');
  await page.keyboard.press('Tab');
  await page.keyboard.type('1 Example Street');
  await shown(page).getByText('1 Example Street').waitFor();
  expect((await org.rest('GET /v1/email-layout')).body.email_layout.company_name).toBeNull();
  await page.getByLabel('Colour of links', { exact: true }).focus();
  await page.keyboard.type('#ffff00');
  await page.keyboard.press('Enter');
  await page.getByText('This is hard to read on white').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Colour of links', { exact: true }).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('#0e6470');
  await page.keyboard.press('Enter');
  await page.getByText('Saved. It stands around every email from now on.').waitFor();
  expect((await org.rest('GET /v1/email-layout')).body.email_layout).toMatchObject({
    company_name: 'Example Academy',
    postal_address: '1 Example Street',
    link_color: '#0e6470',
  });
  const link = shown(page).getByText('this is a link');
  await expect.poll(() => link.getAttribute('style')).toContain('#0e6470');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => page.getByLabel('Company').inputValue()).toBe('');
  expect((await org.rest('GET /v1/email-layout')).body.email_layout.company_name).toBeNull();
  expectNoTrouble();
});

test('the preview is narrow like a phone, and dark, when it is asked to be', async () => {
  const { world, visit } = dashboard();
  const page = await visit(await world.newOrg(), '/settings/layout');
  const card = shown(page).locator('table.card');
  await card.waitFor();
  const colorOf = (): Promise<string> =>
    page.frames().at(-1)!.evaluate("getComputedStyle(document.querySelector('table.card')).backgroundColor");
  expect(await colorOf()).toBe('rgb(255, 255, 255)');
  await page.getByRole('button', { name: 'Dark' }).click();
  await expect.poll(() => colorOf().catch(() => undefined)).toBe('rgb(39, 39, 42)');
  await page.getByRole('button', { name: 'Phone' }).click();
  await expect.poll(async () => (await page.locator('iframe').boundingBox())?.width).toBe(375);
  await expectAccessibleToo(page);
});

test('what is typed is text in the preview, which runs nothing and is nobody else’s to see', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const page = await visit(org, '/settings/layout', { theme: 'dark' });
  const hostile = '</style><script>document.title=1</script><img src=x onerror="top.document.title=1">';
  await page.getByLabel('Footer').fill(hostile);
  await shown(page).getByText(hostile).waitFor();
  await expectAccessibleToo(page);
  expect(await page.title()).toBe('Email layout · Rostrum');
  const src = await page.locator('iframe').getAttribute('src');
  const member = await newMember(world, org, 'viewer');
  const ask = async (headers: Record<string, string>) => {
    const answer = await fetch(`${world.url}${src}`, { headers });
    return { status: answer.status, headers: answer.headers };
  };
  const framed = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe' };
  const { cookie } = member.credential as { cookie: string };
  const seen = await ask({ ...framed, cookie });
  expect(seen.status).toBe(200);
  expect(seen.headers.get('content-security-policy')).toContain("sandbox; default-src 'none'");
  expect(seen.headers.get('x-frame-options')).toBe('SAMEORIGIN');
  expect((await ask(framed)).status).toBe(401);
  expect((await ask({ ...framed, cookie, 'sec-fetch-dest': 'document' })).status).toBe(403);
  expect((await ask({ ...framed, cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  const other = await newMember(world, await world.newOrg(), 'owner');
  expect((await ask({ ...framed, cookie: other.credential['cookie']! })).status).toBe(404);
  expectNoTrouble();
});

test.each(themes)('a viewer on a phone, %s, sees it and why it is locked', async (theme) => {
  const { world, visit } = dashboard();
  const page = await visit(await world.newOrg(), '/settings/layout', { width: 390, theme, role: 'viewer' });
  await page.getByText('You may look here, and change nothing.').waitFor();
  await shown(page).getByText('A heading').waitFor();
  expect(await page.getByLabel('Company').getAttribute('readonly')).not.toBeNull();
  expect(await page.getByRole('button', { name: 'Save' }).getAttribute('title')).toContain('settings.write');
  await expectAccessible(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

test('a service that fails is told as such', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await world.admin.query('alter table email_layouts rename to email_layouts_away');
  try {
    const page = await visit(org, '/settings/layout');
    await page.getByText('The email layout could not be read').waitFor();
    await expectAccessibleToo(page);
  } finally {
    await world.admin.query('alter table email_layouts_away rename to email_layouts');
  }
});
