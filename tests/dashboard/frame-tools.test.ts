import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleToo, expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();

test('the clock of a test organization is moved from the top bar, and the page shows the new time', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const page = await visit(org, '/people');
  await page.getByRole('button', { name: /move the test clock/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Move the test clock?' });
  await dialog.getByLabel('Forward by').selectOption('604800');
  await dialog.getByText(/forward only/).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Move the clock' }).click();
  await page.getByText(/The clock shows/).waitFor();
  const { body } = await org.rest('GET /v1/test-clock');
  expect(Math.round(body.test_clock.ahead_seconds / 86_400)).toBe(7);
  await expect
    .poll(() => page.locator('.clock time').getAttribute('datetime'))
    .toSatisfy((at: string) => Date.parse(at) > world.clock.now().getTime() + 6 * 86_400_000);
  const viewer = await visit(org, '/people', { role: 'viewer' });
  await viewer.getByRole('button', { name: /move the test clock/ }).click();
  const button = viewer.getByRole('button', { name: 'Move the clock' });
  expect(await button.getAttribute('title')).toContain('broadcasts.schedule');
  expectNoTrouble();
});

test('keys go to sections, find, make something, and can be switched off', async () => {
  const { world, visit } = dashboard();
  const page = await visit(await world.newOrg(), '/people');
  await page.getByRole('heading', { name: 'People' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.waitForURL(/\/settings/);
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await page.waitForURL(/\/people$/);
  await page.keyboard.press('/');
  await page.keyboard.type('gs?cx');
  expect(await page.getByPlaceholder('Email, phone or id').inputValue()).toBe('gs?cx');
  expect(page.url()).toMatch(/\/people$/);
  await page.getByRole('heading', { name: 'People' }).click();
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Segment' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: 'Segment' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/segments\/new/);
  await page.getByRole('heading', { name: 'A new segment' }).click();
  await page.keyboard.press('?');
  const map = page.getByRole('dialog', { name: 'Keys' });
  await map.getByText('go to People').waitFor();
  await expectAccessible(page);
  await map.getByRole('checkbox', { name: 'Single letters act' }).uncheck();
  await page.keyboard.press('Escape');
  await map.waitFor({ state: 'detached' }); // what floats has the keys to itself
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await page.keyboard.press('c');
  expect(page.url()).toMatch(/segments\/new/);
  expect(await page.getByRole('menu').count()).toBe(0);
  await page.getByRole('button', { name: /member\d+@example.com/ }).click();
  await page.getByRole('menuitem', { name: /Keys/ }).click();
  await page.getByRole('checkbox', { name: 'Single letters act' }).check();
  await page.keyboard.press('Escape');
  await map.waitFor({ state: 'detached' });
  await page.keyboard.press('c');
  await page.waitForURL(/\/broadcasts\/[0-9a-f-]{36}/);
  await page.getByRole('textbox', { name: 'Subject' }).waitFor();
  expectNoTrouble();
});

test('the menu and the palette offer what can be made, and say why somebody may not', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const page = await visit(org, '/people', { role: 'viewer', theme: 'dark' });
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const item = page.getByRole('menuitem', { name: 'Segment' });
  expect(await item.getAttribute('aria-disabled')).toBe('true');
  expect(await item.getAttribute('title')).toContain('people.write');
  await expectAccessibleToo(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('new seg');
  await page.getByRole('option', { name: /New segment.*people\.write/ }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  expect(await page.getByRole('dialog').count()).toBe(1);
  const owner = await visit(org, '/people');
  await owner.getByRole('heading', { name: 'People' }).waitFor();
  await owner.keyboard.press('Control+k');
  await owner.keyboard.type('audit');
  await owner.getByRole('option', { name: /Audit/ }).waitFor();
  await owner.keyboard.press('Enter');
  await owner.waitForURL(/settings\/audit/);
  expectNoTrouble();
});

test('a slow answer shows the shape of what comes, and a service that is gone is told without losing the page', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await org.person({ email: 'ada@example.com', first_name: 'Ada' });
  const page = await visit(org, '/people');
  await page.getByRole('link', { name: /Ada/ }).waitFor();
  let free = (): void => undefined;
  const held = new Promise<void>((resolve) => (free = resolve));
  await page.route('**/v1/people?*', async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor();
  await page.getByRole('heading', { name: 'People' }).waitFor();
  await expectAccessible(page);
  free();
  await page.getByRole('link', { name: /Ada/ }).waitFor();
  await page.unroute('**/v1/people?*');
  await page.route('**/v1/people?*', (route) => route.abort());
  await page.getByRole('button', { name: 'MRR' }).click();
  await page.getByText(/Rostrum cannot be reached/).waitFor();
  await page.unroute('**/v1/people?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: /Ada/ }).waitFor();
});

test('a page that breaks tells the id of the last request, and goes on', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const page = await visit(org, '/people');
  await page.getByText('Nobody is here yet').waitFor();
  await page.route('**/v1/segments*', (route) => route.fulfill({ json: { segments: [null] } }));
  await page.goto(page.url().replace('people', 'segments'));
  await page.getByRole('heading', { name: 'This page broke' }).waitFor();
  expect(await page.getByRole('alert').textContent()).toMatch(/this id: [0-9a-f-]{36}/);
  await expectAccessible(page);
  await page.unroute('**/v1/segments*');
  await page.getByRole('button', { name: 'Try again' }).waitFor();
});
