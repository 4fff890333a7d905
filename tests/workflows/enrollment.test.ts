import { expect, test } from 'vitest';
import { advanceClock, useSending } from '../support/sending.ts';
import { newSendingOrg } from '../support/reader-rows.ts';
import { inLine, liveWorkflow, onEvent, onRegistration } from '../support/workflow.ts';
import { deeds, quiet, register, runsOf, webinarIn } from './course.ts';

const sending = useSending();
const hourLong = { id: 'hour', type: 'wait', duration_minutes: 60 };

test('EVT-008 a registration starts event-triggered workflows that listen for its event, with its webinar', async () => {
  const { world } = sending();
  const org = await newSendingOrg(world);
  const webinar = await webinarIn(org, 48);
  const heard = await liveWorkflow(
    org,
    inLine(
      onEvent('$svc_webinar_registration'),
      { id: 'day', type: 'wait', anchor: 'start', offset_minutes: -1440 },
      hourLong,
    ),
  );
  const deaf = await liveWorkflow(org, inLine(onEvent('something_else'), hourLong));
  const { person } = await register(org, webinar.id);
  await quiet(world, org);
  expect(await runsOf(world, heard)).toMatchObject([
    { person_id: person, webinar_id: webinar.id, node: 'day', state: 'running' },
  ]);
  expect(await runsOf(world, deaf)).toEqual([]);
  await advanceClock(org, 26 * 3600);
  await quiet(world, org);
  expect(deeds((await runsOf(world, heard))[0])).toEqual(['day waited', 'hour waited', 'done ended']);
});

test("a caller's own event starts the workflows that listen for it, once for each event", async () => {
  const { world } = sending();
  const org = await newSendingOrg(world);
  const workflow = await liveWorkflow(org, inLine(onEvent('trial_started'), hourLong));
  const sent = { event_name: 'trial_started', email: 'one@example.com', event_id: 'first' };
  for (const event of [sent, sent, { ...sent, event_id: 'second' }]) {
    expect((await org.rest('POST /v1/events', event)).status).toBeLessThan(300);
  }
  await quiet(world, org);
  expect(await runsOf(world, workflow)).toMatchObject([{ node: 'hour' }, { node: 'hour' }]);
  await advanceClock(org, 3700);
  await quiet(world, org);
  expect((await runsOf(world, workflow)).map(({ state }) => state)).toEqual(['ended', 'ended']);
});

test('WFL-003 everybody who registers runs through every live workflow that matches, to its end', async () => {
  const { world } = sending();
  const org = await newSendingOrg(world);
  const webinar = await webinarIn(org, 48);
  const other = await webinarIn(org, 48);
  const bound = await liveWorkflow(org, inLine(onRegistration(webinar.id), hourLong));
  const any = await liveWorkflow(org, inLine(onRegistration(), hourLong));
  const elsewhere = await liveWorkflow(org, inLine(onRegistration(other.id), hourLong));
  await register(org, webinar.id);
  await quiet(world, org);
  await advanceClock(org, 3700);
  await quiet(world, org);
  for (const workflow of [bound, any]) {
    expect(await runsOf(world, workflow)).toMatchObject([{ state: 'ended', outcome: 'completed' }]);
  }
  expect(await runsOf(world, elsewhere)).toEqual([]);
});

test('runs keep the version they began with', async () => {
  const { world } = sending();
  const org = await newSendingOrg(world);
  const webinar = await webinarIn(org, 48);
  const workflow = await liveWorkflow(org, inLine(onRegistration(webinar.id), hourLong));
  await register(org, webinar.id);
  await quiet(world, org);
  const graph = inLine(onRegistration(webinar.id), { id: 'other', type: 'wait', duration_minutes: 600 });
  expect((await org.rest(`PATCH /v1/workflows/${workflow}`, { graph })).status).toBe(200);
  expect((await org.rest(`POST /v1/workflows/${workflow}/publish`, {})).status).toBe(200);
  await register(org, webinar.id);
  await quiet(world, org);
  await advanceClock(org, 3700);
  await quiet(world, org);
  expect(await runsOf(world, workflow)).toMatchObject([
    { version: '1', state: 'ended' },
    { version: '2', state: 'running', node: 'other' },
  ]);
});
