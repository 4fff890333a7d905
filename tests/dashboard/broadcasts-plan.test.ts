import { expect, test } from 'vitest';
import { inHours, newDraft, readyDraft } from '../support/broadcast.ts';
import { readBroadcast } from '../support/sending.ts';
import { expectAccessible, expectAccessibleToo, expectNoTrouble, useDashboard } from './visit.ts';

const dashboard = useDashboard();

const at = (hours: number): string => encodeURIComponent(inHours(hours));

test('a draft is planned, scheduled by typing the count, and pulled back by undo', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const { id } = await readyDraft(world, org);
  await org
    .person({ email: 'gone@example.com' })
    .then((person) => org.rest(`PUT /v1/people/${person}/opt-outs`, { email_opt_out: true }));
  const page = await visit(org, `/broadcasts/${id}`);
  await page.getByRole('link', { name: 'Choose a time' }).click();
  await page.waitForURL(/#time$/);
  const tomorrow = inHours(30).slice(0, 16);
  await page.getByLabel('When, UTC time').fill(tomorrow);
  await page.waitForURL(/at=/);
  await page.getByText('Nothing blocks').waitFor();
  await page.getByRole('button', { name: 'Plan and schedule' }).first().click();
  await page.getByRole('heading', { name: 'Plan and schedule' }).waitFor();
  const panel = page.getByRole('complementary', { name: 'Schedule' });
  await panel.getByText(/Plan holds for 5\d:\d\d/).waitFor();
  await page.getByText('This goes to the whole list').waitFor();
  await page.getByRole('link', { name: 'Choose a segment' }).waitFor();
  const window = page.getByRole('region', { name: 'When it goes out' });
  await window.getByLabel('Zone to show').selectOption('Asia/Singapore');
  const inSingapore = inHours(38).slice(11, 16);
  await window.getByText(new RegExp(`^${inSingapore} – `)).waitFor();
  await expectAccessible(page);
  await window.getByRole('link', { name: 'Change time' }).click();
  await page.waitForURL(/at=.*#time$/);
  expect(await page.getByLabel('When, UTC time').inputValue()).toBe(tomorrow);
  await page.getByRole('button', { name: 'Plan and schedule' }).first().click();
  await panel.getByText(/Plan holds for/).waitFor();
  const schedule = panel.getByRole('button', { name: /^Schedule for/ });
  expect(await schedule.getAttribute('aria-disabled')).toBe('true');
  await panel.getByLabel(/^Type \d+ to schedule/).fill('7');
  expect(await schedule.getAttribute('aria-disabled')).toBe('true');
  await panel.getByLabel(/^Type \d+ to schedule/).fill('1');
  await schedule.click();
  await page.getByText('Scheduled. It can be pulled back').waitFor();
  await page.getByText('Pull back by').waitFor();
  expect(await readBroadcast(org, id)).toMatchObject({
    status: 'scheduled',
    timing: { send_at: `${tomorrow}:00.000Z` },
  });
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await readBroadcast(org, id)).status).toBe('draft');
  await page.getByRole('textbox', { name: 'Email body' }).waitFor();
  expectNoTrouble();
});

test('a scheduled broadcast is pulled back to draft by its button', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const { id } = await readyDraft(world, org);
  const { body } = await org.rest(`POST /v1/broadcasts/${id}/plan`, { send_at: inHours(24) });
  await org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token: body.plan_token });
  const page = await visit(org, '/broadcasts');
  await page.getByText('pull back by').waitFor();
  await page.getByRole('link', { name: /Hello/ }).click();
  await page.getByRole('button', { name: 'Pull back to draft' }).click();
  await page.getByRole('textbox', { name: 'Email body' }).waitFor();
  expect((await readBroadcast(org, id)).status).toBe('draft');
});

test('what blocks is said with a way to mend it, and nothing can be scheduled', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const { id } = await newDraft(org, { audience: 'everyone' });
  const page = await visit(org, `/broadcasts/${id}/plan?at=${at(0.2)}`);
  await page.getByText('less than one hour away').waitFor();
  for (const fix of ['Choose a later time', 'Write it', 'Choose a sender'])
    await page.getByRole('link', { name: fix }).first().waitFor();
  for (const words of ['There is nothing to send yet.', 'It has no sender yet.'])
    await page.getByText(words).waitFor();
  const schedule = page.getByRole('button', { name: /^Schedule for/ });
  expect(await schedule.getAttribute('title')).toBe('Something blocks it: see the checks.');
  await expectAccessible(page);
});

test('a plan that went stale tells what changed, and is made again', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const { id } = await readyDraft(world, org);
  const page = await visit(org, `/broadcasts/${id}/plan?at=${at(24)}`);
  await page.getByLabel(/^Type \d+ to schedule/).fill('1');
  await org.rest(`PATCH /v1/broadcasts/${id}`, { subject: 'Another' });
  await page.getByRole('button', { name: /^Schedule for/ }).click();
  await page.getByText('It changed after it was planned.').waitFor();
  await page.getByText(/subject was “Hello”.*is “Another”/).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Plan again' }).click();
  await page.getByLabel(/^Type \d+ to schedule/).fill('1');
  await page.getByRole('button', { name: /^Schedule for/ }).click();
  await expect.poll(async () => (await readBroadcast(org, id)).status).toBe('scheduled');
});

test('with two keys, whoever planned hands the plan to another member, who schedules', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  await org.rest('PATCH /v1/settings', { two_key_sending: true });
  const { id } = await readyDraft(world, org);
  const path = `/broadcasts/${id}/plan?at=${at(24)}`;
  const planner = await visit(org, path);
  await planner.getByText('so another member schedules it').waitFor();
  await expectAccessibleToo(planner);
  await planner.getByRole('button', { name: 'Copy the plan' }).click();
  await planner.getByText('The plan is copied').waitFor();
  const token = await planner.evaluate<string>('navigator.clipboard.readText()');
  await planner.getByLabel('Or schedule what somebody else planned').fill(token);
  await planner.getByLabel(/^Type \d+ to schedule/).fill('1');
  await planner.getByRole('button', { name: /^Schedule for/ }).click();
  await planner.getByText('another credential than the one that planned').waitFor();
  const second = await visit(org, path, { role: 'admin' });
  await second.getByLabel('Or schedule what somebody else planned').fill(token);
  await second.getByLabel(/^Type \d+ to schedule/).fill('1');
  await second.getByRole('button', { name: /^Schedule for/ }).click();
  await expect.poll(async () => (await readBroadcast(org, id)).status).toBe('scheduled');
  await second.getByText('Planned by').waitFor();
});

test('by keyboard alone a draft is planned and scheduled, at the width of a phone in the dark', async () => {
  const { world, visit } = dashboard();
  const org = await world.newOrg();
  const { id } = await readyDraft(world, org);
  const page = await visit(org, `/broadcasts/${id}?at=${at(24)}`, { width: 390, theme: 'dark' });
  await page.getByText('Nothing blocks').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'Plan and schedule' }).waitFor();
  await expectAccessibleToo(page);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  const typed = page.getByLabel(/^Type \d+ to schedule/);
  for (let turn = 0; turn < 60; turn++) {
    await page.keyboard.press('Tab');
    if (await typed.evaluate((field) => field.matches(':focus'))) break;
  }
  await page.keyboard.type('1');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await readBroadcast(org, id)).status).toBe('scheduled');
  expectNoTrouble();
});
