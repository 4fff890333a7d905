import { describe, expect, test } from 'vitest';
import { beginSending } from '../../../src/domain/broadcasts/sending/begin-sending.ts';
import { inHours, plan, schedule, readyDraft } from '../../support/broadcast.ts';
import { contentsOf } from '../../support/org-contents.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { faces } from './schedule-ways.ts';

const world = useWorld();

const read = async (org: TestOrg, id: string) => (await org.rest(`GET /v1/broadcasts/${id}`)).body.broadcast;

async function newScheduled() {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  const planned = await plan(org, id);
  const { plan_token } = planned;
  const { status } = await org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token });
  expect(status).toBe(200);
  return {
    org,
    id: id as string,
    plan_token: plan_token as string,
    send_at: planned.delivery.send_at as string,
  };
}

describe.each(faces)('over $face', ({ unschedule, update, schedule: scheduleOver }) => {
  test('SCH-003 unschedule makes a draft of it again, without a time and without whoever scheduled it', async () => {
    const { org, id } = await newScheduled();
    const { status, body } = await unschedule(org, id);
    expect(status).toBe(200);
    expect(body.broadcast).toMatchObject({
      id,
      status: 'draft',
      timing: { send_at: null, paced_over_hours: null, started_at: null },
      planned_by: null,
      scheduled_by: null,
    });
    expect(await read(org, id)).toEqual(body.broadcast);
    const again = await unschedule(org, id);
    expect([again.status, again.body.code]).toEqual([409, 'not_scheduled']);
  });

  test('SCH-005 SCH-021 after unschedule the earlier plan no longer schedules; a new one does', async () => {
    const { org, id, plan_token } = await newScheduled();
    await unschedule(org, id);
    const before = await contentsOf(world().admin, org);
    const stale = await scheduleOver(org, id, { plan_token });
    expect([stale.status, stale.body.code]).toEqual([409, 'plan_stale']);
    expect(stale.body.errors).toEqual([
      {
        pointer: '/revision',
        code: 'changed',
        detail: 'It was changed or unscheduled since: revision 1 was planned, 3 is there now.',
      },
    ]);
    expect(await contentsOf(world().admin, org)).toEqual(before);
    expect((await schedule(org, id)).broadcast.status).toBe('scheduled');
  });

  test('SCH-004 once sending has begun, unschedule is refused and changes nothing', async () => {
    const { org, id, send_at } = await newScheduled();
    const alarm = { org_id: org.id, broadcast_id: id, revision: 2 };
    expect(await beginSending(world().database, alarm, new Date(send_at), async () => undefined)).toEqual({
      outcome: 'began',
    });
    for (const status of ['sending', 'sent', 'stopped', 'error']) {
      await world().admin.query('update broadcasts set status = $2 where id = $1', [id, status]);
      const before = await contentsOf(world().admin, org);
      const refused = await unschedule(org, id);
      expect([refused.status, refused.body.code]).toEqual([409, 'sending_begun']);
      const changed = await update(org, id, { subject: 'Too late' });
      expect([changed.status, changed.body.code]).toEqual([409, 'sending_begun']);
      expect(await contentsOf(world().admin, org)).toEqual(before);
    }
  });

  test('BRD-040 a changed draft stays a draft', async () => {
    const org = await world().newOrg();
    const { id } = await readyDraft(world(), org);
    const { status, body } = await update(org, id, { subject: 'Changed' });
    expect(status).toBe(200);
    expect(body.broadcast).toMatchObject({ id, status: 'draft', subject: 'Changed' });
    expect(await read(org, id)).toEqual(body.broadcast);
  });

  test('BRD-041 a scheduled broadcast is not changed; once unscheduled the same change succeeds', async () => {
    const { org, id } = await newScheduled();
    const change = { subject: 'Changed', html: '<p>Changed</p>' };
    const before = await contentsOf(world().admin, org);
    // The same words as it has are refused as well: the answer must not depend on what is sent.
    for (const fields of [change, {}, { subject: 'Hello' }]) {
      const refused = await update(org, id, fields);
      expect([refused.status, refused.body.code]).toEqual([409, 'broadcast_scheduled']);
    }
    expect(await contentsOf(world().admin, org)).toEqual(before);
    await unschedule(org, id);
    expect(await update(org, id, change)).toMatchObject({ status: 200, body: { broadcast: change } });
  });
});

test('SCH-011 SCH-003 unschedule works until the last moment, and the alarm of the former time finds nothing to do', async () => {
  const { org, id, send_at } = await newScheduled();
  world().clock.now = () => new Date(Date.parse(send_at) - 1);
  const { status } = await org.rest(`POST /v1/broadcasts/${id}/unschedule`);
  expect(status).toBe(200);
  world().clock.now = () => new Date();
  const alarm = { org_id: org.id, broadcast_id: id, revision: 2 };
  let started = 0;
  const deliver = async () => void started++;
  expect(await beginSending(world().database, alarm, new Date(send_at), deliver)).toEqual({
    outcome: 'moved_on',
  });
  expect([started, (await read(org, id)).status]).toEqual([0, 'draft']);
});

test('SCH-011 scheduled anew for a later time, it does not go out at the former one', async () => {
  const { org, id, send_at } = await newScheduled();
  await org.rest(`POST /v1/broadcasts/${id}/unschedule`);
  await schedule(org, id, inHours(48));
  const ring = (revision: number, at: string) =>
    beginSending(
      world().database,
      { org_id: org.id, broadcast_id: id, revision },
      new Date(at),
      async () => undefined,
    );
  expect(await ring(2, send_at)).toEqual({ outcome: 'moved_on' });
  expect(await ring(4, send_at)).toMatchObject({ outcome: 'early' });
  expect((await read(org, id)).status).toBe('scheduled');
});
