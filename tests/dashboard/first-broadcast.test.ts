import { expect, test } from 'vitest';
import { enterDemonstration, goForward } from './demonstration.ts';
import { expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard({ engine: true });

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const oneDay = '86400';

test('docs/guides/first-broadcast.md can be followed step by step', async () => {
  const page = await enterDemonstration(dashboard());
  await page.getByRole('link', { name: 'Broadcasts' }).first().click();
  await page.getByRole('button', { name: 'New broadcast' }).click();
  await page.getByLabel('Sender').selectOption({ index: 1 });
  await page.getByLabel('Subject').fill('What is new');
  const body = page.getByRole('textbox', { name: 'Email body' });
  await body.click();
  await page.keyboard.type('Hi ');
  await page.keyboard.type('{');
  await page.getByLabel('Find a variable').fill('first name');
  await page.keyboard.press('Enter');
  await page.keyboard.type(', there is news.');
  await body.locator('.chip').click();
  await page.getByRole('group', { name: 'First name' }).getByLabel('When somebody has none').fill('there');
  await page
    .getByText(/^Saved/)
    .first()
    .waitFor();

  await page.getByRole('button', { name: 'Send test' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send the test' }).click();
  await page.getByText('The test goes to owner@example.com').waitFor();

  await page.getByLabel(/^When, /).fill(`${inDays(1)}T23:00`);
  await page.getByText('Nothing blocks').waitFor();
  await page.getByRole('button', { name: 'Plan and schedule' }).first().click();
  const panel = page.getByRole('complementary', { name: 'Schedule' });
  const asked = panel.getByLabel(/^Type [\d,]+ to schedule/);
  await asked.waitFor();
  const count = /Type ([\d,]+)/.exec((await panel.textContent()) ?? '')?.[1] ?? '';
  await asked.fill(count);
  await panel.getByRole('button', { name: /^Schedule for \d+ people/ }).click();
  await page.waitForURL(/\/broadcasts\/[^/]+$/);
  await page.getByRole('button', { name: 'Pull back to draft' }).waitFor();

  await goForward(page, oneDay);
  await goForward(page, oneDay);
  await page.getByRole('link', { name: 'Broadcasts' }).first().click();
  await page
    .getByRole('link', { name: /What is new/ })
    .first()
    .click();
  // It may not have begun when it was opened: then its page says so once it has.
  const report = page.getByRole('link', { name: 'Report', exact: true });
  const adds = page.getByText(/Adds up: /);
  await report.or(adds).first().waitFor({ timeout: 120_000 });
  if (await report.isVisible()) await report.click();
  await adds.waitFor();
  const sent = page.locator('.legend > div', { hasText: 'Sent' }).locator('.fig');
  await expect.poll(async () => Number(await sent.textContent())).toBeGreaterThan(0);
  expectNoTrouble();
});
