import { expect, test } from 'vitest';
import { advanceClock, moveClock, receiversOf, useSending } from '../support/sending.ts';
import { newSendingOrg } from '../support/reader-rows.ts';

import { newSender } from '../support/sender-row.ts';
import { liveWorkflow } from '../support/workflow.ts';
import { deeds, email, end, hour, quiet, register, runsOf, webinarIn } from './course.ts';

const sending = useSending();

test('a registrant gets a confirmation, reminders in their time, and the follow-up that attendance decides', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const sender = await newSender(world, org);
  const webinar = await webinarIn(org, 48);
  const start = Date.parse(webinar.start_time);
  const name = `course ${webinar.id}`;
  const workflow = await liveWorkflow(org, {
    trigger: { type: 'webinar_registration', webinar_id: webinar.id, next: 'confirm' },
    nodes: [
      email('confirm', `${name} confirmed`, sender, 'day'),
      { id: 'day', type: 'wait', anchor: 'start', offset_minutes: -1440, next: 'reminder' },
      email('reminder', `${name} tomorrow`, sender, 'over'),
      { id: 'over', type: 'wait', anchor: 'end', offset_minutes: 30, next: 'split' },
      { id: 'split', type: 'attendance_split', attended: 'thanks', no_show: 'missed' },
      email('thanks', `${name} thanks`, sender, 'end'),
      email('missed', `${name} missed`, sender, 'end'),
      end,
    ],
  });
  const came = await register(org, webinar.id);
  const stayed = await register(org, webinar.id);
  await quiet(world, org);
  expect(receiversOf(mail, `${name} confirmed`).toSorted()).toEqual([came.email, stayed.email].toSorted());
  expect((await runsOf(world, workflow)).map(({ node }) => node)).toEqual(['day', 'day']);

  await moveClock(org, start - 24 * hour - 60_000);
  await quiet(world, org);
  expect(receiversOf(mail, `${name} tomorrow`)).toEqual([]);
  await advanceClock(org, 61);
  await quiet(world, org);
  expect(receiversOf(mail, `${name} tomorrow`)).toHaveLength(2);

  await moveClock(org, start + hour / 2);
  const { status } = await org.rest('POST /v1/webinars/attendance', {
    webinar_id: webinar.id,
    email: came.email,
  });
  expect(status).toBe(200);
  await moveClock(org, start + 1.6 * hour);
  await quiet(world, org);
  expect(receiversOf(mail, `${name} thanks`)).toEqual([came.email]);
  expect(receiversOf(mail, `${name} missed`)).toEqual([stayed.email]);
  const runs = await runsOf(world, workflow);
  expect(runs.map(({ state, outcome }) => [state, outcome])).toEqual([
    ['ended', 'completed'],
    ['ended', 'completed'],
  ]);
  expect(deeds(runs[0])).toEqual([
    'confirm added',
    'day waited',
    'reminder added',
    'over waited',
    'split attended',
    'thanks added',
    'end ended',
  ]);
  // Each step is at the moment it was due, however much later it was released.
  expect(runs[0].path[1].at).toBe(new Date(start - 24 * hour).toISOString());
  expect(runs[0].path[3].at).toBe(new Date(start + 1.5 * hour).toISOString());
});

test('a leap over several waits goes through each of them in its order', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const sender = await newSender(world, org);
  const webinar = await webinarIn(org, 72);
  const name = `leap ${webinar.id}`;
  const workflow = await liveWorkflow(org, {
    trigger: { type: 'webinar_registration', webinar_id: webinar.id, next: 'a' },
    nodes: [
      { id: 'a', type: 'wait', anchor: 'start', offset_minutes: -1440, next: 'one', past: 'end' },
      email('one', `${name} one`, sender, 'b'),
      { id: 'b', type: 'wait', anchor: 'start', offset_minutes: -60, next: 'two', past: 'end' },
      email('two', `${name} two`, sender, 'c'),
      { id: 'c', type: 'wait', duration_minutes: 30, next: 'three' },
      email('three', `${name} three`, sender, 'end'),
      end,
    ],
  });
  const { email: to } = await register(org, webinar.id);
  await quiet(world, org);
  await advanceClock(org, 7 * 24 * 3600);
  await quiet(world, org);
  for (const word of ['one', 'two', 'three']) expect(receiversOf(mail, `${name} ${word}`)).toEqual([to]);
  const [run] = await runsOf(world, workflow);
  expect(deeds(run)).toEqual([
    'a waited',
    'one added',
    'b waited',
    'two added',
    'c waited',
    'three added',
    'end ended',
  ]);
  // Half an hour counts from when the reminder was due, not from the leap.
  expect(run.path[4].at).toBe(new Date(Date.parse(webinar.start_time) - hour / 2).toISOString());
});

test('a moment that passed before the run came is passed by where the node says so, and gone on from at once elsewhere', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const sender = await newSender(world, org);
  const webinar = await webinarIn(org, 5);
  const name = `late ${webinar.id}`;
  const workflow = await liveWorkflow(org, {
    trigger: { type: 'webinar_registration', webinar_id: webinar.id, next: 'day' },
    nodes: [
      { id: 'day', type: 'wait', anchor: 'start', offset_minutes: -1440, next: 'never', past: 'six' },
      email('never', `${name} never`, sender, 'six'),
      { id: 'six', type: 'wait', anchor: 'start', offset_minutes: -360, next: 'now' },
      email('now', `${name} now`, sender, 'end'),
      end,
    ],
  });
  const { email: to } = await register(org, webinar.id);
  await quiet(world, org);
  expect(receiversOf(mail, `${name} never`)).toEqual([]);
  expect(receiversOf(mail, `${name} now`)).toEqual([to]);
  expect(deeds((await runsOf(world, workflow))[0])).toEqual([
    'day past',
    'six past',
    'now added',
    'end ended',
  ]);
});

test('conditions are asked when the run comes by, and properties are set on the way', async () => {
  const { world } = sending();
  const org = await newSendingOrg(world);
  await org.rest('POST /v1/property-configs', { key: 'tier', name: 'Tier', type: 'string' });
  await org.rest('POST /v1/property-configs', { key: 'seen', name: 'Seen', type: 'boolean' });
  const webinar = await webinarIn(org, 48);
  const workflow = await liveWorkflow(org, {
    trigger: { type: 'webinar_registration', next: 'wait' },
    nodes: [
      { id: 'wait', type: 'wait', duration_minutes: 60, next: 'gold' },
      {
        id: 'gold',
        type: 'condition_split',
        filters: [{ custom_property_key: 'tier', op: 'eq', value: 'gold' }],
        yes: 'mark',
        no: 'end',
      },
      { id: 'mark', type: 'set_property', key: 'seen', value: true, next: 'end' },
      end,
    ],
  });
  const later = await register(org, webinar.id);
  const never = await register(org, webinar.id);
  await quiet(world, org);
  await org.rest(`PUT /v1/people/${later.person}/properties/tier`, { value: 'gold' });
  await advanceClock(org, 3700);
  await quiet(world, org);
  const seen = async (person: string) =>
    (await org.rest(`GET /v1/people/${person}`)).body.person.custom_properties.seen?.value;
  expect(await seen(later.person)).toBe(true);
  expect(await seen(never.person)).toBeUndefined();
  expect((await runsOf(world, workflow)).map((run) => deeds(run)[1])).toEqual(['gold yes', 'gold no']);
});

test('nothing is released of a workflow that is paused, and what came due meanwhile counts as past once it goes on', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const sender = await newSender(world, org);
  const webinar = await webinarIn(org, 48);
  const name = `pause ${webinar.id}`;
  const workflow = await liveWorkflow(org, {
    trigger: { type: 'webinar_registration', webinar_id: webinar.id, next: 'day' },
    nodes: [
      { id: 'day', type: 'wait', anchor: 'start', offset_minutes: -1440, next: 'reminder', past: 'hour' },
      email('reminder', `${name} reminder`, sender, 'hour'),
      { id: 'hour', type: 'wait', anchor: 'start', offset_minutes: -60, next: 'soon' },
      email('soon', `${name} soon`, sender, 'end'),
      end,
    ],
  });
  const { email: to } = await register(org, webinar.id);
  await quiet(world, org);
  expect((await org.rest(`POST /v1/workflows/${workflow}/pause`, {})).status).toBe(200);
  await advanceClock(org, 30 * 3600);
  await quiet(world, org);
  expect((await runsOf(world, workflow))[0]).toMatchObject({ node: 'day', held: true });
  expect((await org.rest(`POST /v1/workflows/${workflow}/resume`, {})).status).toBe(200);
  await quiet(world, org);
  expect(receiversOf(mail, `${name} reminder`)).toEqual([]);
  await moveClock(org, Date.parse(webinar.start_time) - hour + 1000);
  await quiet(world, org);
  expect(receiversOf(mail, `${name} soon`)).toEqual([to]);
});
