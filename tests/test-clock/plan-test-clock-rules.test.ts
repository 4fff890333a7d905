import { afterEach, expect, test } from 'vitest';
import { codesOf, newWebinar, plan, readyDraft } from '../support/broadcast.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { away, blocksUntil, hour, minute, readyInvitation } from '../broadcasts/plan/plan-support.ts';

const world = useWorld();

const real = '2027-04-01T10:00:00.000Z';
const stopAt = (moment: string) => (world().clock.now = () => new Date(moment));
afterEach(() => {
  world().clock.now = () => new Date();
});

async function advance(org: TestOrg, ms: number): Promise<{ released: number }> {
  const { status, body } = await org.rest('POST /v1/test-clock', { advance: ms / 1_000 });
  expect(status).toBe(200);
  return body;
}

const scheduleWith = (org: TestOrg, id: string, plan_token: string) =>
  org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token });

test('PLN-024 PLN-039 PLN-041 the lead time of a plan is reckoned by the test clock, to the millisecond', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  stopAt(real);
  const send_at = away(real, 3 * hour);
  await advance(org, 2 * hour);
  expect((await plan(org, id, send_at)).ready).toBe(true);
  await advance(org, 1);
  const later = [send_at, away(send_at, 1)] as const;
  await blocksUntil(org, id, 'send_at_too_soon', async () => undefined, later);
  const year = [away('2028-04-01T12:00:00Z', 2), away('2028-04-01T12:00:00Z', 1)] as const;
  await blocksUntil(org, id, 'send_at_too_far', async () => undefined, year);
});

test('PLN-012 a plan expires by the test clock: after an hour it schedules, a millisecond later it does not', async () => {
  const org = await world().newOrg();
  const drafts = [await readyDraft(world(), org), await readyDraft(world(), org)];
  stopAt(real);
  await advance(org, 24 * hour);
  const plans = [];
  for (const { id } of drafts) plans.push(await plan(org, id, away(real, 48 * hour)));
  expect(plans[0].expires_at).toBe(away(real, 25 * hour));
  await advance(org, hour);
  expect((await scheduleWith(org, drafts[0].id, plans[0].plan_token)).status).toBe(200);
  await advance(org, 1);
  const late = await scheduleWith(org, drafts[1].id, plans[1].plan_token);
  expect(late).toMatchObject({ status: 409, body: { code: 'plan_expired' } });
});

test('PLN-005 PLN-024 the end of a webinar and the lead time before it go by it too', async () => {
  const org = await world().newOrg();
  const start_time = '2027-05-01T02:00:00.000Z';
  const webinar = await newWebinar(world(), org, { start_time, duration_minutes: 30 });
  const timing = { webinar_offset_minutes: -90, webinar_audience: 'no_show' };
  const { id } = await readyInvitation(world(), org, webinar, timing);
  stopAt('2027-04-30T23:59:00.000Z');
  expect((await plan(org, id, null)).ready).toBe(true);
  await advance(org, minute);
  const planned = await plan(org, id, null);
  expect(planned.ready).toBe(true);
  expect(planned.audience.note).toMatch(/not over/);
  await advance(org, 2.5 * hour);
  const after = await plan(org, id, null);
  expect(after.audience.note).not.toMatch(/not over/);
  expect(after.ready).toBe(true);
  await advance(org, 1);
  expect(codesOf(await plan(org, id, null), 'error')).toEqual(['send_at_too_soon']);
});

test('an idempotent answer lives for 24 hours of the test clock', async () => {
  const org = await world().newOrg();
  stopAt(real);
  const draft = async () => {
    const key = { 'idempotency-key': 'one' };
    const answer = await org.rest('POST /v1/broadcasts', { audience: 'everyone' }, key);
    return [answer.body.broadcast.id, answer.headers.get('idempotent-replayed')];
  };
  const [id] = await draft();
  await advance(org, 24 * hour - 1);
  expect(await draft()).toEqual([id, 'true']);
  await advance(org, 1);
  const [another, replayed] = await draft();
  expect([another === id, replayed]).toEqual([false, null]);
});
