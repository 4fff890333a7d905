import { expect, test } from 'vitest';
import { enterDemonstration } from './demonstration.ts';
import { expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard({ engine: true });

test('docs/guides/first-hour.md can be followed step by step', async () => {
  const page = await enterDemonstration(dashboard());
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await page.getByText('200 people').waitFor();

  await page.getByLabel('Email, phone or id').fill('rossi');
  await page.keyboard.press('Enter');
  await page.getByText('with “rossi” in an address').waitFor();
  await page.locator('[data-row]').first().click();
  for (const tab of ['Timeline', 'Identifiers', 'Properties', 'Sends', 'Overview'])
    await page.getByRole('tab', { name: tab }).click();
  await page.getByRole('button', { name: 'Opt out' }).first().click();
  await page.getByRole('button', { name: 'Undo' }).click();
  const opened = page.url();
  await page.getByRole('main').focus();
  await page.keyboard.press('j');
  await expect.poll(() => page.url()).not.toBe(opened);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('complementary').count()).toBe(0);
  await page.keyboard.press('/');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.getByText('200 people').waitFor();

  await page.getByRole('link', { name: 'Segments' }).first().click();
  await page.getByRole('link', { name: 'Make a segment' }).click();
  await page.getByLabel('Name').fill('Paying and quiet');
  await page.getByLabel('Field of condition 1').selectOption({ label: 'Subscription status' });
  await page.getByLabel('Comparison of condition 1').selectOption({ label: 'is any of' });
  const active = page
    .getByRole('group', { name: 'Value of condition 1' })
    .getByLabel('active', { exact: true });
  if (!(await active.isChecked())) await active.check({ force: true });
  await page.getByRole('button', { name: 'Add condition' }).click();
  await page.getByLabel('Field of condition 2').selectOption({ label: 'Last opened at' });
  await page.getByLabel('Comparison of condition 2').selectOption({ label: 'before' });
  await page.getByLabel('Value of condition 2').fill('now-30d');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'See everybody in it' }).click();
  await page
    .getByText(/\d+ (person|people)/)
    .first()
    .waitFor();

  await page.getByRole('link', { name: 'Imports' }).first().click();
  await page.getByRole('link', { name: 'Import a file' }).first().click();
  await page.locator('input[type=file]').setInputFiles('docs/guides/demonstration-people.csv');
  await page.getByText('300 rows, 8 columns').waitFor();
  await page.getByRole('button', { name: 'Check 300 rows' }).click();
  await page.getByText(/rows? do(es)? not fit/).waitFor();
  await page.getByRole('link', { name: /^Preview without the/ }).click();
  await page.getByText('It cannot be cancelled once begun.').waitFor();
  await page.getByRole('button', { name: /^Import \d+ rows$/ }).click();
  await page.getByText('What came of it').waitFor();
  await page.getByRole('link', { name: 'See people' }).click();
  await page.getByText(/^4\d\d people$/).waitFor();

  await page.getByRole('button', { name: 'owner@example.com' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(/\/sign-in/);
  await page.goBack();
  await page.waitForURL(/\/sign-in/);
  expectNoTrouble();
});
