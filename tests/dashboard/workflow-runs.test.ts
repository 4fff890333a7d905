import { expect, test } from 'vitest';
import { advanceClock } from '../support/sending.ts';
import { newWorkflow } from '../support/workflow.ts';
import { quiet } from '../workflows/course.ts';
import { expectAccessible, expectNoTrouble, useDashboard } from './visit.ts';
import { reminders } from './workflow-setting.ts';

const dashboard = useDashboard({ engine: true });

test('workflows are listed with how they stand, found by name and state, and made by a click', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await reminders(world, org);
  await newWorkflow(org, undefined, 'An idea');
  const page = await visit(org, '/workflows');
  const row = page.getByRole('row', { name: /Webinar reminders/ });
  await row.getByText('Live', { exact: true }).waitFor();
  await row.getByText('Registered for: Pricing a first course').waitFor();
  await row.getByRole('cell', { name: '3', exact: true }).waitFor();
  await page
    .getByRole('row', { name: /An idea/ })
    .getByText('1 problem')
    .waitFor();
  await page.getByRole('link', { name: 'Drafts' }).click();
  await row.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await page.getByRole('searchbox', { name: 'Find a workflow' }).fill('remind');
  await page.waitForURL(/query=remind/);
  await page.getByText('An idea').waitFor({ state: 'detached' });
  await row.waitFor();
  await page.getByRole('button', { name: 'New workflow' }).click();
  await page.waitForURL(/\/workflows\/[0-9a-f-]{36}$/);
  await page.getByText('New workflow').first().waitFor();
  expectNoTrouble();
});

test('who stands where is listed, and one run’s way is told with what was sent', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const { workflow, people } = await reminders(world, org);
  await quiet(world, org);
  await advanceClock(org, 25 * 3600);
  await quiet(world, org);
  const page = await visit(org, `/workflows/${workflow}?view=runs`);
  await page.getByLabel('Where they stand').selectOption({ label: 'Wait: until 1 hour after the end (3)' });
  await page.waitForURL(/node=over/);
  await expect.poll(() => page.getByRole('row').count()).toBe(4);
  await page.getByRole('button', { name: 'Under way' }).click();
  await page.waitForURL(/state=running/);
  await page.getByRole('link', { name: /Mara Lindqvist/ }).click();
  const way = page.getByRole('region', { name: 'The way' });
  await way.getByText('Wait: until 1 day before the start').waitFor();
  await way.getByText('The wait was over.').waitFor();
  await way.getByText('Why?').first().click();
  await way.getByText('It was handed over').first().waitFor();
  expect(await page.locator('[aria-current=step]').textContent()).toContain('until 1 hour after the end');
  expect(await page.locator('.nd.here').textContent()).toContain('until 1 hour after the end');
  await expectAccessible(page);
  await page.goto(page.url().replace(/\/workflows.*/, `/people/${people[0]}`));
  await page.getByRole('link', { name: 'Webinar reminders' }).click();
  await page.waitForURL(/view=runs&run=/);
  await way.getByText('Entered').waitFor();
  expectNoTrouble();
});

test('time travel by keyboard alone: where somebody would stand, and what they would have by then', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const { workflow } = await reminders(world, org);
  await quiet(world, org);
  const page = await visit(org, `/workflows/${workflow}?view=travel`);
  const panel = page.getByRole('region', { name: 'Time travel' });
  const slider = panel.getByRole('slider', { name: 'Time' });
  const said = async () => (await slider.getAttribute('aria-valuetext')) ?? '';
  await slider.focus();
  await expect
    .poll(said)
    .toContain('would be waiting until 1 day before the start, with 1 message received, 2 to come');
  await page.keyboard.press('ArrowRight');
  await expect.poll(said).toContain('until 1 hour after the end, with 2 messages received, 1 to come');
  expect(await page.locator('.here').last().textContent()).toContain('until');
  await page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(said).toContain('would not have entered yet');
  await page.keyboard.press('End');
  await expect.poll(said).toContain('would have come to the end, with 3 messages received');
  await panel.getByText('Sorry we missed you').waitFor();
  const before = await said();
  await panel.getByRole('button', { name: 'If attended' }).press('Enter');
  await panel.getByText('The recording').waitFor();
  await panel.getByRole('button', { name: 'Live' }).press('Enter');
  await panel.getByLabel('Add somebody').selectOption('Somebody new');
  await panel.getByText(/Somebody new would/).waitFor();
  const start = panel.getByLabel(/Webinar starts/);
  const later = new Date(Date.parse(`${await start.inputValue()}Z`) + 7 * 86_400_000).toISOString();
  await start.fill(later.slice(0, 16));
  await slider.focus();
  await page.keyboard.press('End');
  await expect.poll(said).not.toBe(before);
  await expect.poll(said).toContain('would have come to the end');
  await panel.getByRole('button', { name: 'As planned' }).waitFor();
  await expectAccessible(page);
  expectNoTrouble();
});
