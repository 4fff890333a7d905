import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { authenticator, type Authenticate } from '../../src/domain/orgs/authenticate.ts';
import { measured } from '../support/measured.ts';
import { volume } from '../support/volume.ts';
import { asProblem, problem } from '../support/problem.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { madeUp, startCounted, type CountedApi } from './counted-api.ts';

const world = useWorld();
const atOnce = 4;

let now = 0;
let api: CountedApi;
let org: TestOrg;
let authenticate: Authenticate;
beforeEach(async () => {
  now = Date.parse('2026-03-01T12:00:20Z');
  world().clock.now = () => new Date(now);
  org = await world().newOrg();
  api = await startCounted(world(), { DATABASE_POOL_SIZE: 8 * atOnce });
  authenticate = authenticator({
    database: api.database,
    clock: world().clock,
    unknown: { perMinute: 120, atOnce },
    onShed: () => undefined,
    onError: () => undefined,
  });
});
afterEach(async () => {
  await world().admin.query('rollback'); // of a test that failed while it held a lock
  await api.close();
});

const addressOf = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;

/** Looks up made-up keys, each from another address. */
async function makeUp(from: number, count: number): Promise<void> {
  for (let n = from; n < from + count; n += atOnce)
    await Promise.all(Array.from({ length: atOnce }, (_, k) => authenticate(madeUp(), addressOf(n + k))));
}

/** Bytes in use after everything that can be let go was. */
function memory(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test('made-up keys, however many, push no good key out and leave nothing behind', measured, async () => {
  const [first, more] = [volume(5_000, 2_000), volume(15_000, 6_000)];
  expect(await authenticate(org.secret, addressOf(0))).toMatchObject({ org_id: org.id });
  await makeUp(0, first);
  const before = memory();
  await makeUp(first, more);
  // Their hashes alone would be more. What the last ones needed may go a moment later.
  await vi.waitFor(() => expect(memory() - before).toBeLessThan(33 * more), 10_000);
  api.queries();
  expect(await authenticate(org.secret, addressOf(0))).toMatchObject({ org_id: org.id });
  expect(api.queries()).toBe(0);
});

test('the same key at once is looked up once, known or not', async () => {
  const [unknown, many] = [madeUp(), Array.from({ length: 300 }, (_, n) => addressOf(n))];
  expect(new Set(await Promise.all(many.map((address) => authenticate(unknown, address))))).toEqual(
    new Set([undefined]),
  );
  expect(api.queries()).toBe(1);
  const found = await Promise.all(many.map((address) => authenticate(org.secret, address)));
  expect(found.every((record) => record?.org_id === org.id)).toBe(true);
  await vi.waitFor(() => expect(api.queries()).toBe(0)); // the note of its use is written beside
  now += 500;
  await Promise.all(many.map((address) => authenticate(org.secret, address)));
  expect(api.queries()).toBe(1);
});

test('while look-ups hang, unknown keys hold their part of the connections and the others are 503', async () => {
  expect((await api.from(addressOf(0), org.secret)).status).toBe(200);
  await world().admin.query('begin; lock table api_keys in access exclusive mode');
  const tried = Array.from({ length: 30 }, (_, n) => api.from(addressOf(n + 1), madeUp()));
  await vi.waitFor(() => expect(api.shed).toHaveLength(30 - atOnce), 20_000);
  await vi.waitFor(async () => {
    const { rows } = await world().admin.query(
      `select count(*)::int as held from pg_stat_activity
     where datname = current_database() and query like '%find_api_key%' and wait_event_type = 'Lock'`,
    );
    expect(rows).toEqual([{ held: atOnce }]);
  }, 20_000);
  expect((await api.from(addressOf(0), org.secret)).status).toBe(200);
  const tool = await api.toolFrom('::1', madeUp());
  expect(asProblem(tool)).toEqual(problem(503, 'unavailable', '/mcp'));
  expect(tool.headers.get('retry-after')).toBe('2');
  expect(new Set(api.shed)).toEqual(new Set(['unknown_keys_at_once']));
  await world().admin.query('rollback');
  const statuses = (await Promise.all(tried)).map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([
    ...Array.from({ length: atOnce }, () => 401),
    ...Array.from({ length: 30 - atOnce }, () => 503),
  ]);
  expect((await api.from(addressOf(200), madeUp())).status).toBe(401);
});
