import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { getDomain, newDomain, publishAll, recordOf } from '../senders/sending-domain.ts';
import { startDns } from '../support/dns.ts';
import { expectAccessible, expectAccessibleToo, expectNoTrouble, themes, useDashboard } from './visit.ts';

const dns = await startDns();
afterAll(() => dns.stop());
const dashboard = useDashboard({
  engine: true,
  env: { DNS_SERVERS: dns.servers, MAIL_RETURN_PATH_HOST: 'bounce.mail.test' },
});

const copied = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()');

test('a sender is added by keyboard alone, its records are copied and published, and it becomes ready while watched', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const page = await visit(org, '/settings/senders');
  await page.getByText('There is no sender yet').waitFor();
  await expectAccessibleToo(page);
  await page.getByRole('button', { name: 'Add sender' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Add a sender' }).waitFor();
  await page.getByLabel('Name').focus();
  await page.keyboard.type('Example Events');
  await page.keyboard.press('Tab');
  await page.keyboard.type('nowhere');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('Must be one email address').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Email').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('live@events.acme.test');
  await page.keyboard.press('Enter');
  await page.getByText('live@events.acme.test added').waitFor();
  const card = page.getByRole('region', { name: 'events.acme.test' });
  // Looked up by itself, since the domain is new.
  await card.getByText('4 of 4 records to do').waitFor();
  await expect.poll(() => card.getByText('missing', { exact: true }).count(), { timeout: 20_000 }).toBe(4);
  await expectAccessible(page);
  const { sending_domains } = (await org.rest('GET /v1/sending-domains')).body;
  const domain = sending_domains[0];
  await card.getByRole('button', { name: 'Copy the value of DKIM' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Copied the value of DKIM').waitFor();
  expect(await copied(page)).toBe(recordOf(domain, 'dkim').value);
  await publishAll(dns, domain, ['ownership']);
  await dns.publish({ ...recordOf(domain, 'ownership'), value: 'rostrum-domain=of-somebody-else' });
  await card.getByRole('button', { name: 'Look up now' }).click();
  await card.getByText('1 of 4 records to do').waitFor({ timeout: 20_000 });
  await card.getByText('Found another token: "rostrum-domain=of-somebody-else".').waitFor();
  await expectAccessibleToo(page);
  await dns.withdraw(recordOf(domain, 'ownership').host);
  await dns.publish(recordOf(domain, 'ownership'));
  await card.getByRole('button', { name: 'Look up now' }).click();
  await card.getByText('Verified').waitFor({ timeout: 20_000 });
  await page
    .getByRole('row', { name: /live@events/ })
    .getByText('Ready')
    .waitFor();
  expect((await getDomain(org, domain.id)).verified).toBe(true);
  expectNoTrouble();
});

test('a sender is changed and deleted; a domain that is still used is kept, and the service says why', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await newDomain(org, 'kept.acme.test');
  const page = await visit(org, '/settings/senders', { theme: 'dark' });
  await page.getByRole('button', { name: 'Change news@kept.acme.test' }).click();
  const form = page.getByRole('dialog', { name: 'Change news@kept.acme.test' });
  expect(await form.getByLabel('Email').getAttribute('readonly')).not.toBeNull();
  const hostile = '<img src=x onerror="document.title=1">';
  await form.getByLabel('Name').fill(hostile);
  await form.getByLabel('Replies go to').fill('robin@example.com');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText(hostile).waitFor();
  await page.getByText('robin@example.com').waitFor();
  expect(await page.title()).toBe('Senders · Rostrum');
  await page.getByRole('button', { name: 'Delete kept.acme.test', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete kept.acme.test?' });
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog
    .getByText('A sender still sends from kept.acme.test. Delete every sender at it first.')
    .waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await page.getByRole('button', { name: 'Delete news@kept.acme.test' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('There is no sender yet').waitFor();
  await page.getByRole('button', { name: 'Delete kept.acme.test', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => page.getByRole('region', { name: 'kept.acme.test' }).count()).toBe(0);
  expectNoTrouble();
});

test('the number for texts is set, proven by a text where the organization is live, and taken back by undo', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await world.admin.query("update organizations set mode = 'live' where id = $1", [org.id]);
  const page = await visit(org, '/settings/senders');
  await page.getByRole('button', { name: 'Set the number for texts' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Number').fill('5550001111');
  await page.keyboard.press('Enter');
  await dialog.getByText('Must be in E.164').waitFor();
  await dialog.getByLabel('Number').fill('+15550001111');
  await page.keyboard.press('Enter');
  await page.getByText('Not proven').waitFor();
  await page.getByText(/ROSTRUM \d{12}/).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('no number yet').waitFor();
});

test.each(themes)('on a phone, %s, records are stacked and nothing scrolls sideways', async (theme) => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await newDomain(org, 'phone.acme.test');
  const page = await visit(org, '/settings/senders', { width: 390, theme, role: 'viewer' });
  await page.getByText('_rostrum.phone.acme.test').waitFor();
  await page.getByText('You may look here, and change nothing.').waitFor();
  const add = page.getByRole('button', { name: 'Add sender' });
  expect(await add.getAttribute('title')).toContain('settings.write');
  await expectAccessible(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

test('a service that fails is told as such, and asked again', async () => {
  const { world, visit } = dashboard();
  const page = await visit(await world.newOrg(), '/settings/senders');
  await page.getByText('There is no sender yet').waitFor();
  await world.admin.query('alter table senders rename to senders_away');
  try {
    await page.reload();
    await page.getByText('Senders could not be read').waitFor();
    await expectAccessibleToo(page);
  } finally {
    await world.admin.query('alter table senders_away rename to senders');
  }
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('There is no sender yet').waitFor();
});
