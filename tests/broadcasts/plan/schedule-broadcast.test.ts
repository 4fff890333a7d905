import { describe, expect, test } from 'vitest';
import {
  inHours,
  newDraft,
  newWebinar,
  plan,
  schedule,
  setWebinar,
  readyDraft,
} from '../../support/broadcast.ts';
import { contentsOf } from '../../support/org-contents.ts';
import { asProblem, problem } from '../../support/problem.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { faces } from './schedule-ways.ts';

const world = useWorld();

const read = async (org: TestOrg, id: string) => (await org.rest(`GET /v1/broadcasts/${id}`)).body.broadcast;

describe.each(faces)('over $face', ({ plan: planOver, schedule: scheduleOver }) => {
  test('SCH-001 SCH-008 SCH-009 SCH-010 a planned draft becomes scheduled, and the answer tells when it goes out', async () => {
    const org = await world().newOrg();
    const { id } = await readyDraft(world(), org);
    const send_at = inHours(24);
    const planned = await planOver(org, id, { send_at });
    expect(planned).toMatchObject({ status: 200, body: { ready: true, delivery: { send_at } } });
    const { status, body } = await scheduleOver(org, id, { plan_token: planned.body.plan_token });
    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual(['broadcast', 'delivery', 'message']);
    expect(body.broadcast).toMatchObject({
      id,
      status: 'scheduled',
      timing: { send_at, paced_over_hours: 3 },
    });
    expect(body.delivery).toEqual({ send_at, paced_over_hours: 3 });
    expect(body.message).toBe(
      `Scheduled. It goes out from ${send_at} on, spread over 3 hours. Until then it can be unscheduled.`,
    );
    expect(await read(org, id)).toEqual(body.broadcast);
  });

  test('SCH-009 SCH-010 a webinar broadcast is scheduled to go out at once', async () => {
    const org = await world().newOrg();
    const webinar_id = await newWebinar(world(), org);
    const { id } = await readyDraft(world(), org, {
      audience: 'webinar',
      webinar_id,
      webinar_offset_minutes: 60,
    });
    const { body: planned } = await planOver(org, id);
    const { body } = await scheduleOver(org, id, { plan_token: planned.plan_token });
    expect(body.delivery).toEqual({ send_at: planned.delivery.send_at, paced_over_hours: 0 });
    expect(body.message).toContain('all at once');
  });

  test('SCH-006 SCH-021 without a plan_token nothing is scheduled', async () => {
    const org = await world().newOrg();
    const { id } = await readyDraft(world(), org);
    const before = await contentsOf(world().admin, org);
    for (const fields of [{}, { plan_token: null }, { plan_token: 7 }, { plan_token: '' }]) {
      const { status, body } = await scheduleOver(org, id, fields);
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
      expect(body.errors).toMatchObject([{ pointer: '/plan_token' }]);
    }
    expect((await scheduleOver(org, id, { plan_token: 'x', send_at: inHours(2) })).body.errors).toMatchObject(
      [{ pointer: '/send_at' }],
    );
    expect(await contentsOf(world().admin, org)).toEqual(before);
  });

  test('SCH-001 a token schedules once: while the broadcast is scheduled every token is refused', async () => {
    const org = await world().newOrg();
    const { id } = await readyDraft(world(), org);
    const { plan_token } = await plan(org, id);
    expect((await scheduleOver(org, id, { plan_token })).status).toBe(200);
    const before = await contentsOf(world().admin, org);
    const again = await scheduleOver(org, id, { plan_token });
    expect([again.status, again.body.code]).toEqual([409, 'broadcast_scheduled']);
    const planned = await planOver(org, id, { send_at: inHours(30) });
    expect([planned.status, planned.body.code]).toEqual([409, 'broadcast_scheduled']);
    expect(await contentsOf(world().admin, org)).toEqual(before);
  });
});

test('SCH-002 the send time stays what it was planned for, even when the webinar it was reckoned from moves', async () => {
  const org = await world().newOrg();
  const webinar_id = await newWebinar(world(), org, { start_time: inHours(48) });
  const { id } = await readyDraft(world(), org, {
    audience: 'webinar',
    webinar_id,
    webinar_offset_minutes: 60,
  });
  const planned = await plan(org, id, null);
  const { body } = await org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token: planned.plan_token });
  const { send_at } = planned.delivery;
  expect(body.broadcast.timing).toMatchObject({ send_at, webinar_moved: false });
  await setWebinar(world(), webinar_id, { start_time: inHours(72) });
  expect((await read(org, id)).timing).toMatchObject({ send_at, webinar_moved: true });
});

test('SCH-001 scheduling leaves one audit row by the key, and one message for the engine with ids only', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  await schedule(org, id);
  const { admin } = world();
  const audit = await admin.query(
    `select operation, actor_kind, actor_id, ids from audit_log where org_id = $1 and operation = 'schedule_broadcast'`,
    [org.id],
  );
  expect(audit.rows).toEqual([
    {
      operation: 'schedule_broadcast',
      actor_kind: 'api_key',
      actor_id: org.keyId,
      ids: { broadcast_id: id },
    },
  ]);
  const outbox = await admin.query(
    `select service, handler, payload from outbox where org_id = $1 and service like 'Broadcast%'`,
    [org.id],
  );
  expect(outbox.rows).toEqual([
    {
      service: 'BroadcastStart',
      handler: 'begin',
      payload: { org_id: org.id, broadcast_id: id, revision: '2' },
    },
  ]);
});

test('SCH-001 a broadcast that is not there, or of another organization, is not found', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  const { id } = await readyDraft(world(), org);
  const { plan_token } = await plan(org, id);
  for (const step of ['schedule', 'unschedule']) {
    const path = `/v1/broadcasts/${id}/${step}`;
    const answer = await other.rest(`POST ${path}`, step === 'schedule' ? { plan_token } : {});
    expect(asProblem(answer)).toEqual(problem(404, 'not_found', path));
  }
  expect((await read(org, id)).status).toBe('draft');
});

test('SCH-001 with an idempotency key a repeated schedule answers the same again', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  const { plan_token } = await plan(org, id);
  const send = () =>
    org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token }, { 'idempotency-key': 'once' });
  const [first, second] = [await send(), await send()];
  expect(first.status).toBe(200);
  expect(second).toMatchObject({ status: 200, body: first.body });
  expect(second.headers.get('idempotent-replayed')).toBe('true');
});

test('SCH-001 a draft that nothing was said about cannot be planned into a token', async () => {
  const org = await world().newOrg();
  const { id } = await newDraft(org, { audience: 'everyone' });
  expect(await plan(org, id)).not.toHaveProperty('plan_token');
});
