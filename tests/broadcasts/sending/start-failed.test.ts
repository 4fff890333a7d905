import { expect, test } from 'vitest';
import { inHours, plan, schedule } from '../../support/broadcast.ts';
import { useWorld } from '../../support/world.ts';
import { countingDelivery, newAlarm } from './start-alarm.ts';

const world = useWorld();
const hour = 3_600_000;

test('BRD-041 what failed before it began is no draft, and says what to do', async () => {
  const org = await world().newOrg();
  const { id, ring, read } = await newAlarm(world(), org);
  expect(await ring(0, undefined)).toEqual({ outcome: 'failed' });
  expect((await read()).error).toMatch(/Unschedule it to make it a draft again\.$/);
  for (const [route, body] of [
    [`PATCH /v1/broadcasts/${id}`, { subject: 'Other' }],
    [`POST /v1/broadcasts/${id}/plan`, { send_at: inHours(24) }],
    [`POST /v1/broadcasts/${id}/schedule`, { plan_token: 'any' }],
  ] as const) {
    const { status, body: refused } = await org.rest(route, body);
    expect([status, refused.code]).toEqual([409, 'failed_to_begin']);
  }
});

test('SCH-003 taken back, it is a draft like any other and can be sent after all', async () => {
  const org = await world().newOrg();
  const { id, ring, read } = await newAlarm(world(), org);
  const { calls, deliver } = countingDelivery();
  expect(await ring(2 * hour, deliver)).toEqual({ outcome: 'failed' });
  const { body } = await org.rest(`POST /v1/broadcasts/${id}/unschedule`);
  expect(body.broadcast).toMatchObject({ status: 'draft', error: null, timing: { send_at: null } });
  expect((await plan(org, id)).ready).toBe(true);
  expect((await schedule(org, id)).broadcast.status).toBe('scheduled');
  // The alarm of the time that was missed is nothing to the new one.
  expect(await ring(0, deliver)).toEqual({ outcome: 'moved_on' });
  expect([calls.length, (await read()).status]).toEqual([0, 'scheduled']);
});

test('SCH-005 a broadcast deleted and made again under its id is another: the old token does not schedule it', async () => {
  const org = await world().newOrg();
  const { id } = await newAlarm(world(), org);
  await org.rest(`POST /v1/broadcasts/${id}/unschedule`);
  const { plan_token } = await plan(org, id);
  const { broadcast } = (await org.rest(`GET /v1/broadcasts/${id}`)).body;
  await org.rest(`DELETE /v1/broadcasts/${id}`);
  // Its row as it was, but for when it was made.
  const made = await org.rest('POST /v1/broadcasts', {
    audience: broadcast.audience.kind,
    subject: broadcast.subject,
    html: broadcast.html,
    sender_id: broadcast.sender.id,
  });
  await world().admin.query('update broadcasts set id = $2, revision = 3 where id = $1', [
    made.body.broadcast.id,
    id,
  ]);
  const refused = await org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token });
  expect([refused.status, refused.body.code]).toEqual([409, 'plan_stale']);
});
