import { expect, test } from 'vitest';
import { advanceClock, ended, readBroadcast, scheduleEmail } from '../support/sending.ts';
import { newReaders } from '../support/reader-rows.ts';
import { setLayout } from '../support/broadcast.ts';
import { expectAccessible, expectAccessibleToo, expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard({ engine: true });

const minute = 60;

test('a report is live while it is sent, adds up, is stopped in plain words, and tells of each person why', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await setLayout(org);
  const readers = await newReaders(org, 12, (index) => ({ first_name: `Reader${index}` }));
  const [out = ''] = readers.values();
  await org.rest(`PUT /v1/people/${out}/opt-outs`, { email_opt_out: true });
  const { id } = await scheduleEmail(world, org, {
    html: '<p>Go <a href="https://example.com/a">there</a></p>',
  });
  const early = await visit(org, `/broadcasts/${id}/report`);
  await early.getByText('It was not sent yet').waitFor();
  await advanceClock(org, 90 * minute + 60);
  await expect.poll(async () => (await readBroadcast(org, id)).status).toBe('sending');
  const page = await visit(org, '/broadcasts');
  const row = page.getByRole('row', { name: /Broadcast .*Everyone/ });
  await row.getByText('Sending').waitFor();
  await row.getByRole('link').click();
  await page.getByText(/Adds up: 12 of 12/).waitFor();
  await page.getByText('They had opted out of email').first().waitFor();
  await expectAccessibleToo(page);
  await advanceClock(org, 60 * minute);
  const sent = page.locator('.legend > div', { hasText: 'Sent' }).locator('.fig');
  await expect.poll(async () => Number(await sent.textContent())).toBeGreaterThan(1);
  await page.getByRole('button', { name: 'Stop sending' }).click();
  const dialog = page.getByRole('dialog', { name: 'Stop sending?' });
  await dialog.getByText('it cannot be undone').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: /^Stop for/ }).click();
  await expect.poll(async () => (await readBroadcast(org, id)).status).toBe('stopped');
  await ended(org, id);
  await page.getByText('Stopped').first().waitFor();
  await page.getByText(/Adds up: 12 of 12/).waitFor();
  await page.getByText('The broadcast was stopped before their turn came').first().waitFor();
  await page.getByRole('link', { name: 'Who was skipped because they had opted out of email' }).click();
  await page.waitForURL(/reason=opted_out/);
  const people = page.getByRole('region', { name: 'People', exact: true });
  await people.getByRole('link', { name: 'Reader0', exact: true }).click();
  await people
    .locator('.note')
    .getByText(/opted out/)
    .first()
    .waitFor();
  await expectAccessible(page);
  await people.getByLabel('Which people').selectOption('Sent');
  await page.waitForURL(/outcome=sent/);
  await people
    .getByText(/^Sent /)
    .first()
    .waitFor();
  // What it said is one step away, and the way back too.
  const tabs = page.getByRole('navigation', { name: 'About this broadcast' });
  await tabs.getByRole('link', { name: 'Content' }).click();
  await page.waitForURL(new RegExp(`/broadcasts/${id}$`));
  await page.getByLabel('How it looks').waitFor();
  await expectAccessible(page);
  await tabs.getByRole('link', { name: 'People 12' }).click();
  await page.waitForURL(/report#recipients$/);
  await people.waitFor();
  await tabs.getByRole('link', { name: 'Report' }).click();
  await page.waitForURL(/report$/);
  expectNoTrouble();
  const phone = await visit(org, `/broadcasts/${id}/report`, { width: 390, theme: 'dark' });
  await phone.getByText(/Adds up/).waitFor();
  await expectAccessibleToo(phone);
  expect(await phone.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
});

test('a test goes to oneself', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await setLayout(org);
  const { id } = await scheduleEmail(world, org);
  await org.rest(`POST /v1/broadcasts/${id}/unschedule`);
  const page = await visit(org, `/broadcasts/${id}`);
  await page.getByRole('button', { name: 'Send test' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Send a test?' });
  expect(await dialog.getByLabel('Email').inputValue()).toContain('@');
  await dialog.getByLabel('Email').fill('no address');
  await dialog.getByRole('button', { name: 'Send the test' }).click();
  await dialog.locator('.err').waitFor();
  await dialog.getByLabel('Email').fill('me@example.com');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Send the test' }).click();
  await page.getByText('The test goes to me@example.com').waitFor();
  const { rows } = await world.admin.query('select 1 from test_sends where broadcast_id = $1', [id]);
  expect(rows.length).toBe(1);
});
