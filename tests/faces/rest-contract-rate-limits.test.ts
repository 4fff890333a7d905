import pino from 'pino';
import { afterEach, expect, test } from 'vitest';
import { rateLimiter, type TakeRate } from '../../src/domain/orgs/rate-limit.ts';
import { buildApi } from '../../src/main/build-api.ts';
import { asProblem, problem } from '../support/problem.ts';
import { TestOrg, type RestAnswer } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const limits = { RATE_READ_PER_MINUTE: '5', RATE_WRITE_PER_MINUTE: '3', RATE_HEAVY_PER_MINUTE: '2' };
const world = useWorld({ env: limits });

const minute = Date.parse('2026-03-01T12:00:00Z');
const setClock = (seconds: number) => (world().clock.now = () => new Date(minute + seconds * 1000));
afterEach(() => setClock(0));

const standing = ({ headers }: RestAnswer) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];

test('every answer tells the policy, what remains and when it starts anew', async () => {
  const org = await world().newOrg();
  setClock(17.4);
  expect(standing(await org.rest('GET /v1/people'))).toEqual(['"read";q=5;w=60', '"read";r=4;t=43']);
  expect(standing(await org.rest('GET /v1/people'))).toEqual(['"read";q=5;w=60', '"read";r=3;t=43']);
  const refused = await org.rest('POST /v1/people/identify', {});
  expect(refused.status).toBe(400);
  expect(standing(refused)).toEqual(['"write";q=3;w=60', '"write";r=2;t=43']);
  const searched = await org.rest('POST /v1/people/search', { query: 'a' });
  expect(standing(searched)).toEqual(['"heavy";q=2;w=60', '"heavy";r=1;t=43']);
});

test('beyond the limit it is 429 with Retry-After until the minute ends, over every key and face', async () => {
  const org = await world().newOrg();
  const another = await world().newKey(org, ['people.read']);
  setClock(20);
  for (const caller of [org, another, org, another]) {
    expect((await caller.rest('GET /v1/people')).status).toBe(200);
  }
  expect((await org.tool('list_people')).isError).toBe(false);
  setClock(48.2);
  for (const caller of [org, another]) {
    const answer = await caller.rest('GET /v1/people');
    expect(asProblem(answer)).toEqual(problem(429, 'rate_limited', '/v1/people'));
    expect(answer.headers.get('retry-after')).toBe('12');
    expect(standing(answer)).toEqual(['"read";q=5;w=60', '"read";r=0;t=12']);
  }
  expect(await org.tool('list_people')).toMatchObject({
    isError: true,
    body: { code: 'rate_limited', status: 429 },
  });
  setClock(60);
  expect(standing(await org.rest('GET /v1/people'))).toEqual(['"read";q=5;w=60', '"read";r=4;t=60']);
});

test('a refused write writes nothing; the other classes and organizations are not touched', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  for (const n of [1, 2, 3]) await org.person({ email: `p${n}@example.com` });
  const answer = await org.rest('POST /v1/people/identify', { email: 'p4@example.com' });
  expect(asProblem(answer)).toEqual(problem(429, 'rate_limited', '/v1/people/identify'));
  expect((await org.rest('GET /v1/people')).body.total).toBe(3);
  expect((await other.rest('POST /v1/people/identify', { email: 'p4@example.com' })).status).toBe(200);
});

test('a call without a valid key is not counted', async () => {
  const org = await world().newOrg();
  for (let n = 0; n < 8; n++) {
    expect((await org.rest('GET /v1/people', undefined, { 'auth-type': 'none' })).status).toBe(401);
  }
  expect(standing(await org.rest('GET /v1/people'))).toEqual(['"read";q=5;w=60', '"read";r=4;t=60']);
});

test('two API processes together do not exceed the limit', async () => {
  const app = await buildApi({
    config: world().config,
    database: world().database,
    clock: world().clock,
    log: pino({ level: 'silent' }),
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const here = await world().newOrg();
  const there = new TestOrg(url, here.id, here.keyId, here.secret);
  const calls = Array.from({ length: 8 }, () => [here, there].map((one) => one.rest('GET /v1/people')));
  const statuses = (await Promise.all(calls.flat())).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(11);
  await app.close();
});

/** How many of so many calls at once each process lets through. */
async function burst(processes: TakeRate[], org: TestOrg, calls: number, now: Date): Promise<number> {
  const taken = processes.flatMap((take) => Array.from({ length: calls }, () => take(org.id, 'read', now)));
  return (await Promise.all(taken)).filter(({ allowed }) => allowed).length;
}

const startProcesses = (count: number, read: number): TakeRate[] =>
  Array.from({ length: count }, () =>
    rateLimiter(world().database, { perMinute: { read, write: 1, heavy: 1 } }),
  );

test('many processes that take shares of a larger limit use exactly the whole of it', async () => {
  const org = await world().newOrg();
  const processes = startProcesses(4, 333);
  const at = (seconds: number) => new Date(minute + seconds * 1000);
  expect(await burst(processes, org, 40, at(1))).toBe(160);
  expect(await burst(processes, org, 100, at(30))).toBe(173);
  expect(await burst(processes, org, 5, at(59.999))).toBe(0);
  expect(await burst(processes, org, 100, at(60))).toBe(333);
});

test('a process whose clock lags is served from the window that the others are in', async () => {
  const org = await world().newOrg();
  const [ahead, behind] = startProcesses(2, 40) as [TakeRate, TakeRate];
  expect(await burst([ahead], org, 10, new Date(minute + 60_000))).toBe(10);
  const standingBehind = await behind(org.id, 'read', new Date(minute + 59_500));
  expect(standingBehind).toMatchObject({ allowed: true, remaining: 29, resetSeconds: 61 });
  expect(await burst([behind], org, 50, new Date(minute + 59_900))).toBe(29);
});

test('calls on both sides of the turn of a minute are all served', async () => {
  const org = await world().newOrg();
  const [take] = startProcesses(1, 40) as [TakeRate];
  const moments = Array.from({ length: 30 }, (_, n) => new Date(minute + 59_985 + n));
  const taken = await Promise.all(moments.map((now) => take(org.id, 'read', now)));
  expect(taken.filter(({ allowed }) => !allowed)).toEqual([]);
});
