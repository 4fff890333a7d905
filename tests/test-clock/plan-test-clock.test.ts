import { afterEach, expect, test } from 'vitest';
import { contentsOf } from '../support/org-contents.ts';
import { asProblem, problem } from '../support/problem.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { away, hour, newLiveOrg } from '../broadcasts/plan/plan-support.ts';

const world = useWorld();

const real = '2027-04-01T10:00:00.000Z';
const stopAt = (moment: string) => (world().clock.now = () => new Date(moment));
afterEach(() => {
  world().clock.now = () => new Date();
});

const read = async (org: TestOrg) => (await org.rest('GET /v1/test-clock')).body.test_clock;
const move = (org: TestOrg, how: object) => org.rest('POST /v1/test-clock', how);

test('the clock of a test organization shows real time until it is moved, and runs on from where it was moved to', async () => {
  const org = await world().newOrg();
  stopAt(real);
  expect(await read(org)).toEqual({ now: real, ahead_seconds: 0 });
  const { status, body } = await move(org, { advance: 5_400 });
  const later = { now: away(real, 1.5 * hour), ahead_seconds: 5_400 };
  expect({ status, body }).toEqual({ status: 200, body: { test_clock: later, released: 0 } });
  expect(await read(org)).toEqual(later);
  stopAt(away(real, 7_001));
  expect(await read(org)).toEqual({ now: away(real, 1.5 * hour + 7_001), ahead_seconds: 5_400 });
});

test.each([
  [{ now: '2027-04-02T10:00:00Z' }, '2027-04-02T10:00:00.000Z', 86_400],
  [{ now: '2027-04-02T12:00:00.5+02:00' }, '2027-04-02T10:00:00.500Z', 86_400.5],
  [{ now: real }, real, 0],
  [{ advance: 0.001 }, '2027-04-01T10:00:00.001Z', 0.001],
  [{ advance: 60 }, '2027-04-01T10:01:00.000Z', 60],
  [{ advance: 365 * 86_400 }, '2028-03-31T10:00:00.000Z', 365 * 86_400],
])('%j moves it to %s', async (how, now, ahead_seconds) => {
  const org = await world().newOrg();
  stopAt(real);
  expect((await move(org, how)).body.test_clock).toEqual({ now, ahead_seconds });
  expect(await read(org)).toEqual({ now, ahead_seconds });
});

test('moves add up, and a moment counts from real time', async () => {
  const org = await world().newOrg();
  stopAt(real);
  await move(org, { advance: 60 });
  await move(org, { advance: 0.5 });
  expect(await read(org)).toEqual({ now: away(real, 60_500), ahead_seconds: 60.5 });
  await move(org, { now: away(real, hour) });
  expect(await read(org)).toEqual({ now: away(real, hour), ahead_seconds: 3_600 });
  await move(org, { advance: 1 });
  expect(await read(org)).toEqual({ now: away(real, hour + 1_000), ahead_seconds: 3_601 });
});

test.each([
  [{ now: away(real, hour - 1) }, '/now'],
  [{ now: real }, '/now'],
  [{ now: '2020-01-01T00:00:00Z' }, '/now'],
  [{ now: '2038-01-01T00:00:00Z' }, '/now'],
  [{ now: '9999-12-31T23:59:59-12:00' }, '/now'],
  [{ now: '2027-04-03' }, '/now'],
  [{ now: 'tomorrow' }, '/now'],
  [{ advance: 0 }, '/advance'],
  [{ advance: -1 }, '/advance'],
  [{ advance: '60' }, '/advance'],
  [{ advance: 11 * 366 * 86_400 }, '/advance'],
  [{ advance: 10 * 366 * 86_400 }, '/advance'],
  [{ advance: null }, '/advance'],
  [{}, ''],
  [{ now: away(real, 2 * hour), advance: 60 }, ''],
  [{ seconds: 60 }, '/seconds'],
])('%j is refused and the clock stays: it goes forward only, and ten years at most', async (how, pointer) => {
  const org = await world().newOrg();
  stopAt(real);
  await move(org, { advance: 3_600 });
  const before = await contentsOf(world().admin, org);
  const refused = await move(org, how);
  expect(asProblem(refused)).toEqual(problem(400, 'invalid_request', '/v1/test-clock'));
  expect(refused.body.errors[0].pointer).toBe(pointer);
  expect(await contentsOf(world().admin, org)).toEqual(before);
  expect(await read(org)).toEqual({ now: away(real, hour), ahead_seconds: 3_600 });
});

test('the clock of a live organization is the real one: reading and moving it is refused', async () => {
  const org = await newLiveOrg(world());
  const before = await contentsOf(world().admin, org);
  for (const answer of [
    await org.rest('GET /v1/test-clock'),
    await move(org, { advance: 60 }),
    await move(org, { now: '2030-01-01T00:00:00Z' }),
  ]) {
    expect(asProblem(answer)).toEqual(problem(403, 'test_mode_only', '/v1/test-clock'));
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
  const { rows } = await world().admin.query('select clock_ahead_ms from organizations where id = $1', [
    org.id,
  ]);
  expect(Number(rows[0].clock_ahead_ms)).toBe(0);
});

test('every organization has its own clock', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  stopAt(real);
  await move(org, { advance: 3_600 });
  expect(await read(other)).toEqual({ now: real, ahead_seconds: 0 });
  await move(other, { advance: 60 });
  expect(await read(org)).toEqual({ now: away(real, hour), ahead_seconds: 3_600 });
});

test('a move is in the audit log, and takes the permission to schedule; reading takes that to read', async () => {
  const org = await world().newOrg();
  const reader = await world().newKey(org, ['broadcasts.read']);
  const scheduler = await world().newKey(org, ['broadcasts.schedule']);
  expect((await reader.rest('GET /v1/test-clock')).status).toBe(200);
  expect((await move(reader, { advance: 60 })).status).toBe(403);
  expect((await scheduler.rest('GET /v1/test-clock')).status).toBe(403);
  expect((await move(scheduler, { advance: 60 })).status).toBe(200);
  const { rows } = await world().admin.query('select operation, ids from audit_log where org_id = $1', [
    org.id,
  ]);
  expect(rows).toEqual([{ operation: 'move_test_clock', ids: { org_id: org.id } }]);
  expect(await org.toolNames()).not.toContain('move_test_clock');
});
