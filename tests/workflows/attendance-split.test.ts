import { expect, test } from 'vitest';
import { advanceClock, useSending } from '../support/sending.ts';
import { newSendingOrg } from '../support/reader-rows.ts';
import type { TestOrg } from '../support/test-org.ts';
import { liveWorkflow } from '../support/workflow.ts';
import { deeds, end, quiet, register, runsOf, webinarIn } from './course.ts';

const sending = useSending();

/** A workflow that asks for attendance two hours after somebody registered, and waits an hour more. */
const splitting = (org: TestOrg, webinar: string) =>
  liveWorkflow(org, {
    trigger: { type: 'webinar_registration', webinar_id: webinar, next: 'two' },
    nodes: [
      { id: 'two', type: 'wait', duration_minutes: 120, next: 'split' },
      { id: 'split', type: 'attendance_split', attended: 'here', no_show: 'away' },
      { id: 'here', type: 'wait', duration_minutes: 60, next: 'end' },
      { id: 'away', type: 'wait', duration_minutes: 60, next: 'end' },
      end,
    ],
  });

const report = async (org: TestOrg, webinar_id: string, email: string, attended = true) => {
  const { status } = await org.rest('POST /v1/webinars/attendance', { webinar_id, email, attended });
  expect(status).toBe(200);
};

async function arranged() {
  const { world } = sending();
  const org = await newSendingOrg(world);
  const webinar = await webinarIn(org, 1);
  const workflow = await splitting(org, webinar.id);
  const { email } = await register(org, webinar.id);
  await quiet(world, org);
  const at = async () => (await runsOf(world, workflow))[0].node;
  const pass = async (seconds: number) => {
    await advanceClock(org, seconds);
    await quiet(world, org);
  };
  return { world, org, webinar: webinar.id as string, workflow, email, at, pass };
}

test('WFL-006 whoever is recorded as attended goes down the attendee branch', async () => {
  const { org, webinar, email, at, pass } = await arranged();
  await report(org, webinar, email);
  await pass(7300);
  expect(await at()).toBe('here');
});

test('WFL-007 registrants not recorded as attended, or recorded as absent, go down the no-show branch', async () => {
  const { world, org, webinar, workflow, email, pass } = await arranged();
  await register(org, webinar);
  await report(org, webinar, email, false);
  await pass(7300);
  expect((await runsOf(world, workflow)).map(({ node }) => node)).toEqual(['away', 'away']);
});

test('WFL-008 what was reported after enrollment and before the split counts, the last word of it', async () => {
  const { org, webinar, email, at, pass } = await arranged();
  await report(org, webinar, email, true);
  await report(org, webinar, email, false);
  await pass(3600);
  expect(await at()).toBe('two');
  await report(org, webinar, email, true);
  await pass(3700);
  expect(await at()).toBe('here');
});

test('WFL-009 attendance reported or corrected after the split does not move the run', async () => {
  const { world, org, webinar, workflow, email, at, pass } = await arranged();
  await pass(7300);
  expect(await at()).toBe('away');
  await report(org, webinar, email, true);
  await pass(3700);
  const [run] = await runsOf(world, workflow);
  expect(deeds(run)).toEqual(['two waited', 'split no_show', 'away waited', 'end ended']);
});
