import { afterEach, describe, expect, test } from 'vitest';
import { plan, setWebinar, newWebinar, readyDraft } from '../../support/broadcast.ts';
import { contentsOf } from '../../support/org-contents.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { faces, rest } from './schedule-ways.ts';

const world = useWorld();

const minute = 60_000;
const hour = 60 * minute;
/** When everything here is planned. */
const start = Date.parse('2031-05-01T09:00:00.000Z');

const stopAt = (moment: number) => void (world().clock.now = () => new Date(moment));
const iso = (moment: number) => new Date(moment).toISOString();
afterEach(() => stopAt(start));

/** A draft planned at the start, for so much later. */
async function plannedFor(
  later: number,
): Promise<{ org: TestOrg; id: string; plan_token: string; expires_at: string }> {
  stopAt(start);
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  const { plan_token, expires_at } = await plan(org, id, iso(start + later));
  return { org, id, plan_token, expires_at };
}

describe.each(faces)('over $face', ({ schedule }) => {
  test('SCH-018 at exactly one hour a plan is still good, and it said so', async () => {
    const { org, id, plan_token, expires_at } = await plannedFor(24 * hour);
    expect(expires_at).toBe(iso(start + hour));
    stopAt(start + hour);
    const { status, body } = await schedule(org, id, { plan_token });
    expect([status, body.broadcast?.status]).toEqual([200, 'scheduled']);
  });

  test('SCH-018 SCH-021 a millisecond over one hour it has expired', async () => {
    const { org, id, plan_token } = await plannedFor(24 * hour);
    stopAt(start + hour + 1);
    const before = await contentsOf(world().admin, org);
    const { status, body } = await schedule(org, id, { plan_token });
    expect([status, body.code]).toEqual([409, 'plan_expired']);
    expect(body.detail).toBe(`The plan was made at ${iso(start)}, over an hour ago. Plan again.`);
    expect(await contentsOf(world().admin, org)).toEqual(before);
    const again = await plan(org, id, iso(start + 24 * hour));
    expect((await schedule(org, id, { plan_token: again.plan_token })).status).toBe(200);
  });

  test('SCH-020 SCH-021 with the send time less than an hour away a young plan is refused, at one hour it is not', async () => {
    const { org, id, plan_token } = await plannedFor(90 * minute);
    stopAt(start + 30 * minute + 1);
    const before = await contentsOf(world().admin, org);
    const late = await schedule(org, id, { plan_token });
    expect([late.status, late.body.code]).toEqual([400, 'plan_blocked']);
    expect(late.body.errors).toMatchObject([{ code: 'send_at_too_soon' }]);
    expect(await contentsOf(world().admin, org)).toEqual(before);
    stopAt(start + 30 * minute);
    expect((await schedule(org, id, { plan_token })).status).toBe(200);
  });
});

test('SCH-018 an old plan has expired, whatever else changed or blocks by then', async () => {
  const { org, id, plan_token } = await plannedFor(90 * minute);
  await org.rest(`PATCH /v1/broadcasts/${id}`, { subject: 'Goodbye' });
  stopAt(start + hour);
  const changed = await rest.schedule(org, id, { plan_token });
  expect([changed.status, changed.body.code]).toEqual([409, 'plan_stale']);
  stopAt(start + hour + 1);
  const expired = await rest.schedule(org, id, { plan_token });
  expect([expired.status, expired.body.code]).toEqual([409, 'plan_expired']);
});

test('SCH-020 a broadcast timed by its webinar is refused as well when its time comes near', async () => {
  stopAt(start);
  const org = await world().newOrg();
  const webinar_id = await newWebinar(world(), org, { start_time: iso(start + 3 * hour) });
  const { id } = await readyDraft(world(), org, {
    audience: 'webinar',
    webinar_id,
    webinar_offset_minutes: 90,
  });
  const { plan_token } = await plan(org, id, null);
  stopAt(start + 31 * minute);
  const late = await rest.schedule(org, id, { plan_token });
  expect([late.status, late.body.errors[0].code]).toEqual([400, 'send_at_too_soon']);
  // Moved away it would have room again, but that is not what was planned.
  await setWebinar(world(), webinar_id, { start_time: iso(start + 9 * hour) });
  const moved = await rest.schedule(org, id, { plan_token });
  expect([moved.status, moved.body.code]).toEqual([409, 'plan_stale']);
});

test('SCH-018 SCH-020 a test organization goes by its own clock', async () => {
  const [far, near] = [await plannedFor(24 * hour), await plannedFor(90 * minute)];
  for (const [{ org, id, plan_token }, advance, code] of [
    [far, 3_600.001, 'plan_expired'],
    [near, 1_800.001, 'plan_blocked'],
  ] as const) {
    expect((await org.rest('POST /v1/test-clock', { advance })).status).toBe(200);
    expect((await rest.schedule(org, id, { plan_token })).body.code).toBe(code);
  }
});

test('SCH-002 SCH-009 the time is kept to the millisecond, whatever zone it was asked for in', async () => {
  stopAt(start);
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  const { plan_token, delivery } = await plan(org, id, '2031-05-02T12:34:56.789+05:30');
  const { body } = await rest.schedule(org, id, { plan_token });
  const send_at = '2031-05-02T07:04:56.789Z';
  expect([delivery.send_at, body.delivery.send_at, body.broadcast.timing.send_at]).toEqual([
    send_at,
    send_at,
    send_at,
  ]);
});
