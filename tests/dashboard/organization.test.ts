import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleToo, expectNoTrouble, themes, useDashboard } from './visit.ts';

const dashboard = useDashboard();

test('settings are changed by keyboard alone, refused in the words of the service, saved and undone', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const settings = async () => (await org.rest('GET /v1/settings')).body.settings;
  const page = await visit(org, '/settings');
  await page.waitForURL(/\/settings\/organization$/);
  await page.getByLabel('Time zone').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Nowhere/Town');
  await page.keyboard.press('Enter');
  await page.getByText('Must be an IANA zone name such as Europe/Paris.').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Time zone').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Europe/Paris');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.type('30');
  await page.keyboard.press('Tab');
  await page.keyboard.type('fr');
  await page.keyboard.press('Tab');
  await page.keyboard.type('@example.com');
  await page.keyboard.press('Enter');
  await page.keyboard.type('+15550001111');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await settings()).toMatchObject({
    timezone: 'Europe/Paris',
    two_key_sending: true,
    hold_if_audience_changes_by: 30,
    default_country: 'FR',
    test_recipients: ['@example.com', '+15550001111'],
  });
  await page.locator('.clock').getByText('Paris').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => page.getByLabel('Country of phone numbers').inputValue()).toBe('');
  expect(await settings()).toMatchObject({
    two_key_sending: false,
    hold_if_audience_changes_by: null,
    default_country: null,
    test_recipients: [],
  });
  expectNoTrouble();
});

test('a shorter history says before that it deletes for good', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const page = await visit(org, '/settings/organization', { theme: 'dark' });
  await page.getByLabel('Months of history').fill('24');
  await page.getByText('are deleted for good').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save and delete older history' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  expect((await org.rest('GET /v1/settings')).body.settings.history_months).toBe(24);
});

test('what cannot be changed is shown with the reason, in a test organization and in a live one', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const hostile = '<img src=x onerror="document.title=1">';
  await world.admin.query('update organizations set name = $2 where id = $1', [org.id, hostile]);
  const page = await visit(org, '/settings/organization');
  await page.getByText('It never becomes live').waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe(hostile);
  await world.admin.query("update organizations set mode = 'live' where id = $1", [org.id]);
  await expect
    .poll(async () => {
      await page.reload();
      await page.getByRole('heading', { name: 'Fixed' }).waitFor();
      return page.getByText('It never becomes a test').count();
    })
    .toBe(1);
  await page.getByText('This is a live organization').waitFor();
  expect(await page.getByLabel('Test recipients').getAttribute('readonly')).not.toBeNull();
  expect(await page.title()).toBe('Organization · Rostrum');
  expectNoTrouble();
});

test.each(themes)('a viewer on a phone, %s, sees them and why they are locked', async (theme) => {
  const { world, visit } = dashboard();
  const page = await visit(await world.newOrg(), '/settings', { width: 390, theme, role: 'viewer' });
  await page.getByText('You may look here, and change nothing.').waitFor();
  expect(await page.getByRole('button', { name: 'Save' }).getAttribute('title')).toContain('settings.write');
  await expectAccessible(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

test('a service that fails is told as such', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const page = await visit(org, '/settings/organization');
  await page.getByLabel('Time zone').waitFor();
  await page.route('**/v1/settings', (route) => route.abort());
  await page.reload();
  await page.getByText('The settings could not be read').waitFor({ timeout: 20_000 });
  await expectAccessibleToo(page);
  await page.unroute('**/v1/settings');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByLabel('Time zone').waitFor();
});

test('an organization is renamed, and what is written is not lost by leaving', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const page = await visit(org, '/settings/organization', { width: 390 });
  await page.getByLabel('Name').fill('Northern Courses');
  const row = page.getByRole('navigation', { name: 'Settings' });
  await row.getByRole('link', { name: 'Audit' }).click();
  const asks = page.getByRole('dialog', { name: 'Leave without saving?' });
  await asks.getByText('is not saved yet').waitFor();
  await expectAccessible(page);
  await asks.getByRole('button', { name: 'Keep writing' }).click();
  expect(await page.getByLabel('Name').inputValue()).toBe('Northern Courses');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect((await org.rest('GET /v1/me')).body.organization.name).toBe('Northern Courses');
  await page.getByLabel('Country of phone numbers').fill('FR');
  await row.getByRole('link', { name: 'Audit' }).click();
  await asks.getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL(/settings\/audit$/);
  // The last of the row, which is wider than a phone, is in sight.
  const current = row.getByRole('link', { name: 'Audit' });
  await expect
    .poll(async () => {
      const box = (await current.boundingBox())!;
      return box.x >= 0 && box.x + box.width <= 390;
    })
    .toBe(true);
  await page.reload();
  await expect
    .poll(async () => (await current.boundingBox())!.x + (await current.boundingBox())!.width)
    .toBeLessThanOrEqual(390);
  expectNoTrouble();
});
