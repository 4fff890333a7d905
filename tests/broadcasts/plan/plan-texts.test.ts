import { beforeAll, expect, test } from 'vitest';
import { codesOf, newDraft, newWebinar, plan } from '../../support/broadcast.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();
let org: TestOrg;
let webinar_id: string;

beforeAll(async () => {
  org = await world().newOrg();
  await org.rest('PUT /v1/sms-number', { number: '+15550001111' });
  webinar_id = await newWebinar(world(), org);
});

const newText = async (message_body: string): Promise<string> =>
  (await newDraft(org, { channel: 'sms', audience: 'webinar', webinar_id, message_body })).id;

/** Tomorrow at a time of the day in UTC. */
const tomorrowAt = (time: string): string =>
  `${new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)}T${time}:00Z`;

test.each([
  ['UTC', '08:00', false],
  ['UTC', '21:00', false],
  ['UTC', '21:01', true],
  ['UTC', '07:59', true],
  ['UTC', '00:00', true],
  ['Asia/Tokyo', '00:00', false], // nine in the morning there
  ['Asia/Tokyo', '13:00', true],
  ['Asia/Kolkata', '15:30', false], // nine in the evening, with half an hour of its own
])('a text planned in %s for %s UTC is in quiet hours: %s', async (timezone, time, isQuiet) => {
  await org.rest('PATCH /v1/settings', { timezone });
  const planned = await plan(org, await newText('It begins soon. STOP to end'), tomorrowAt(time));
  expect(codesOf(planned, 'warning').includes('sms_quiet_hours')).toBe(isQuiet);
  expect(planned.ready).toBe(true);
});

test.each([
  ['It begins soon', true],
  ['It begins soon. Reply STOP to end.', false],
  ['It begins soon (stop=end)', false],
  ['We never stopped', true],
])('a text that says %j lacks how to stop: %s', async (message_body, lacks) => {
  const planned = await plan(org, await newText(message_body), tomorrowAt('12:00'));
  expect(codesOf(planned, 'warning').includes('sms_no_stop')).toBe(lacks);
  expect(planned.plan_token).toBeDefined();
});

test('an email is not warned about either', async () => {
  const { id } = await newDraft(org, { audience: 'everyone', subject: 'Hello', html: '<p>Hello</p>' });
  const codes = codesOf(await plan(org, id, tomorrowAt('03:00')));
  expect(codes.filter((code) => code.startsWith('sms_'))).toEqual([]);
});
