import pino from 'pino';
import { afterEach, expect, test } from 'vitest';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import { createApiKey } from '../../src/domain/orgs/api-key.ts';
import { permissions } from '../../src/kernel/caller.ts';
import { buildApi } from '../../src/main/build-api.ts';
import { plan, readyDraft, schedule } from '../support/broadcast.ts';
import { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { away, hour, minute } from '../broadcasts/plan/plan-support.ts';

const world = useWorld({ env: { RATE_READ_PER_MINUTE: '30' } });

const real = '2027-04-01T10:00:00.000Z';
const stopAt = (moment: string) => (world().clock.now = () => new Date(moment));
afterEach(() => {
  world().clock.now = () => new Date();
});

const now = async (org: TestOrg): Promise<string> =>
  (await org.rest('GET /v1/test-clock')).body.test_clock.now;

async function advance(org: TestOrg, ms: number): Promise<{ released: number }> {
  const { status, body } = await org.rest('POST /v1/test-clock', { advance: ms / 1_000 });
  expect(status).toBe(200);
  return body;
}

test('a second process sees a move at once, and moves on from there', async () => {
  const { config, database, clock } = world();
  const log = pino({ level: 'silent' });
  const app = await buildApi({
    config,
    database,
    clock,
    log,
  });
  try {
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const here = await world().newOrg();
    const there = new TestOrg(url, here.id, here.keyId, here.secret);
    const { id } = await readyDraft(world(), here);
    stopAt(real);
    expect([await now(here), await now(there)]).toEqual([real, real]);
    for (let hours = 1; hours <= 6; hours++) {
      await advance(hours % 2 === 0 ? here : there, hour);
      const moment = away(real, hours * hour);
      expect([await now(here), await now(there)]).toEqual([moment, moment]);
      for (const org of [here, there]) {
        expect((await plan(org, id, away(moment, hour))).ready).toBe(true);
        expect((await plan(org, id, away(moment, hour - 1))).ready).toBe(false);
      }
    }
    const moves = Array.from({ length: 10 }, (_, n) => advance(n % 2 === 0 ? here : there, minute));
    await Promise.all(moves);
    expect(await now(there)).toBe(away(real, 6 * hour + 10 * minute));
  } finally {
    await app.close();
  }
});

test('of moves to moments at once the latest stays, and those before it follow or are refused', async () => {
  const org = await world().newOrg();
  stopAt(real);
  const moments = [3, 1, 5, 2, 4].map((hours) => away(real, hours * hour));
  const answers = await Promise.all(
    moments.map((moment) => org.rest('POST /v1/test-clock', { now: moment })),
  );
  const told = answers.map(({ status, body }, at) =>
    status === 200 ? body.test_clock.now === moments[at] : body.code === 'invalid_request',
  );
  expect(told).toEqual(moments.map(() => true));
  expect(answers[2]!.status).toBe(200);
  expect(await now(org)).toBe(away(real, 5 * hour));
});

test('a move tells the engine of what became due, the earliest first, and of nothing else', async () => {
  const org = await world().newOrg();
  const drafts = [];
  for (let n = 0; n < 3; n++) drafts.push(await readyDraft(world(), org));
  stopAt(real);
  for (const [at, { id }] of drafts.entries()) await schedule(org, id, away(real, (4 - at) * hour));
  await world().admin.query('delete from outbox where org_id = $1', [org.id]);
  expect((await advance(org, 2 * hour - 1)).released).toBe(0);
  expect((await advance(org, 1 + hour)).released).toBe(2);
  const { rows } = await world().admin.query(
    "select payload ->> 'broadcast_id' as broadcast from outbox where org_id = $1 order by id",
    [org.id],
  );
  expect(rows.map(({ broadcast }) => broadcast)).toEqual([drafts[2].id, drafts[1].id]);
});

test('a key expires by real time, whatever the test clock shows', async () => {
  const org = await world().newOrg();
  stopAt(real);
  const expiresAt = new Date(away(real, hour));
  const key = await orgTransaction(world().database, org.id, 'write', (db) =>
    createApiKey(db, { id: org.id, mode: 'test' }, { name: 'short', permissions, expiresAt }, new Date(real)),
  );
  const short = new TestOrg(world().url, org.id, key.id, key.secret);
  await advance(short, 48 * hour);
  stopAt(away(real, hour - 1));
  expect(await now(short)).toBe(away(real, 49 * hour - 1));
  stopAt(away(real, hour));
  expect((await short.rest('GET /v1/test-clock')).status).toBe(401);
  expect(await now(org)).toBe(away(real, 49 * hour));
});

test('rate limits are counted by real time: moving the test clock gives nobody more calls', async () => {
  const org = await world().newOrg();
  stopAt(away(real, 20_000));
  const read = async () => (await org.rest('GET /v1/settings')).status;
  for (let n = 0; n < 30; n++) expect(await read()).toBe(200);
  expect(await read()).toBe(429);
  for (const advance of [60, 3_600, 86_400]) {
    expect((await org.rest('POST /v1/test-clock', { advance })).status).toBe(200);
    const refused = await org.rest('GET /v1/settings');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('40');
  }
  stopAt(away(real, 60_000));
  expect(await read()).toBe(200);
});

test('an Idempotency-Key keeps a move from being made twice, also a long one', async () => {
  stopAt(real);
  const org = await world().newOrg();
  const key = { 'idempotency-key': 'once' };
  const first = await org.rest('POST /v1/test-clock', { advance: 90_000 }, key);
  const again = await org.rest('POST /v1/test-clock', { advance: 90_000 }, key);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(await now(org)).toBe(new Date(Date.parse(real) + 90_000_000).toISOString());
});
