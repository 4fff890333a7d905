import { afterEach, beforeEach, expect, test } from 'vitest';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import { revokeApiKey } from '../../src/domain/orgs/api-key.ts';
import { asProblem, problem } from '../support/problem.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { madeUp, startCounted, type CountedApi } from './counted-api.ts';

const world = useWorld();
const limit = 5;
const here = '192.0.2.7';
const elsewhere = '192.0.2.8';

let now = 0;
let api: CountedApi;
let org: TestOrg;
beforeEach(async () => {
  now = Date.parse('2026-03-01T12:00:20Z');
  world().clock.now = () => new Date(now);
  org = await world().newOrg();
  api = await startCounted(world(), { UNKNOWN_KEYS_PER_MINUTE: limit });
});
afterEach(() => api.close());

async function tryMadeUp(address: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < times; n++) statuses.push((await api.from(address, madeUp())).status);
  return statuses;
}
const statusFrom = async (address: string, { secret }: TestOrg) => (await api.from(address, secret)).status;

test('beyond the limit made-up keys of an address are 429 without a query, until the minute ends', async () => {
  expect(await tryMadeUp(here, limit)).toEqual([401, 401, 401, 401, 401]);
  expect(api.queries()).toBe(limit);
  const refused = await api.from(here, madeUp());
  expect(asProblem(refused)).toEqual(problem(429, 'rate_limited', '/v1/people'));
  expect(refused.headers.get('retry-after')).toBe('40');
  const tool = await api.toolFrom(here, madeUp());
  expect(asProblem(tool)).toEqual(problem(429, 'rate_limited', '/mcp'));
  expect(tool.headers.get('retry-after')).toBe('40');
  const others = await Promise.all(Array.from({ length: 50 }, () => tryMadeUp(here, 1)));
  expect(others.flat()).toEqual(Array.from({ length: 50 }, () => 429));
  expect(api.queries()).toBe(0);
  expect(api.shed).toEqual(Array.from({ length: 52 }, () => 'unknown_keys'));
  expect(await tryMadeUp(elsewhere, 1)).toEqual([401]);
  now += 40_000;
  expect(await tryMadeUp(here, limit + 1)).toEqual([401, 401, 401, 401, 401, 429]);
});

test('both faces count together, and what is no key of ours costs and counts nothing', async () => {
  for (const secret of ['hello', org.secret.slice(0, -1), '']) {
    for (let n = 0; n < limit; n++) {
      expect((await api.from(here, secret)).status).toBe(401);
      expect((await api.toolFrom(here, secret)).status).toBe(401);
    }
  }
  expect(api.queries()).toBe(0);
  expect(await tryMadeUp(here, limit - 1)).toEqual([401, 401, 401, 401]);
  expect((await api.toolFrom(here, madeUp())).status).toBe(401);
  expect(await tryMadeUp(here, 1)).toEqual([429]);
});

test('a key that was good within the hour works on from an address beyond its limit', async () => {
  const [fresh, unseen] = [org, await world().newOrg()];
  expect(await statusFrom(elsewhere, fresh)).toBe(200);
  now += 3_599_000;
  await tryMadeUp(here, limit);
  expect([await statusFrom(here, fresh), await statusFrom(here, unseen)]).toEqual([200, 429]);
  expect(await statusFrom(elsewhere, unseen)).toBe(200);
  expect(await statusFrom(here, unseen)).toBe(200);
  now += 3_600_000;
  await tryMadeUp(here, limit);
  expect(await statusFrom(here, fresh)).toBe(429);
});

test('a revoked key of such an address is refused within a second, and is an unknown one then', async () => {
  expect(await statusFrom(here, org)).toBe(200);
  await tryMadeUp(here, limit);
  await orgTransaction(world().database, org.id, 'write', (db) =>
    revokeApiKey(db, org.id, org.keyId, world().clock.now()),
  );
  now += 999;
  api.queries();
  expect([await statusFrom(here, org), api.queries()]).toEqual([401, 1]);
  expect([await statusFrom(here, org), api.queries()]).toEqual([429, 0]);
});

test('good keys are not counted, however many come at once', async () => {
  const others = await Promise.all(Array.from({ length: 3 * limit }, () => world().newOrg()));
  const statuses = await Promise.all(others.map((one) => statusFrom(here, one)));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await tryMadeUp(here, 1)).toEqual([401]);
});

test('an IPv6 client is its /64, and an IPv4 client of a socket for both is itself', async () => {
  for (const host of ['::1', '::2', ':9:8:7:6', ':ffff::', '::abcd'])
    expect(await tryMadeUp(`2001:db8:0:12${host}`, 1)).toEqual([401]);
  expect(await tryMadeUp('2001:db8:0:12::3', 1)).toEqual([429]);
  expect(await tryMadeUp('2001:db8:0:13::1', 1)).toEqual([401]);
  await tryMadeUp('::ffff:192.0.2.7', limit);
  expect(await tryMadeUp(here, 1)).toEqual([429]);
  expect(await tryMadeUp('::ffff:192.0.2.8', 1)).toEqual([401]);
});
