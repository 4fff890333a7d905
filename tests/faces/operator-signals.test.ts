import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../src/main/config.ts';
import { startOperator, type Operator, type ServedPart } from '../../src/main/operator.ts';
import { startRelay } from '../../src/main/start-relay.ts';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import { readOutboxAge } from '../../src/database/ready.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const silent = pino({ level: 'silent' });
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

let org: TestOrg;
beforeEach(async () => {
  await world().admin.query('truncate outbox, property_changes, tracking_hits');
  org = await world().newOrg();
  await org.rest('POST /v1/property-configs', { key: 'vip', name: 'VIP', type: 'boolean' });
});

async function ask(part: ServedPart): Promise<Operator> {
  const { databaseUrl, config } = world();
  const operator = await startOperator(
    readConfig({
      DATABASE_URL: databaseUrl,
      ROSTRUM_SECRET: config.ROSTRUM_SECRET,
      RESTATE_INGRESS_URL: 'http://127.0.0.1:1',
      OPERATOR_PORT: '0',
    }),
    part,
    silent,
  );
  operator.serve();
  stops.push(() => operator.close());
  return operator;
}

const metricsOf = async ({ url }: Operator): Promise<string> => (await fetch(`${url}/metrics`)).text();
const valueOf = (metrics: string, series: string): number => {
  const line = metrics.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1));
};

/** A change of properties that was asked for minutes ago, and of which the engine was told. */
async function leaveUndone(minutes: number): Promise<void> {
  await org.person({ email: 'ada@example.com', custom_properties: { vip: true } });
  const { admin } = world();
  await admin.query('update property_changes set requested_at = now() - make_interval(mins => $1)', [
    minutes,
  ]);
  await admin.query('truncate outbox');
}

test.each<{ part: ServedPart; status: number }>([
  { part: 'relay', status: 503 },
  { part: 'all', status: 503 },
  { part: 'api', status: 200 },
  { part: 'handlers', status: 200 },
])('/ready of $part is $status while something due is not done, and says what', async ({ part, status }) => {
  const { url } = await ask(part);
  const before = await fetch(`${url}/ready`);
  expect(before.status).toBe(200);
  expect(await before.json()).toMatchObject({ checks: { work: { ok: true } } });
  await leaveUndone(5);
  const after = await fetch(`${url}/ready`);
  expect(after.status).toBe(status);
  expect(await after.json()).toMatchObject({
    checks: {
      work: { ok: false, detail: expect.stringMatching(/^a property change has been due for 30\d s \(Pers/) },
      outbox: { ok: true },
    },
  });
});

test('/metrics tells how long the oldest work of each kind has been due', async () => {
  const operator = await ask('api');
  const series = (work: string): string => `rostrum_due_oldest_seconds{work="${work}"}`;
  await leaveUndone(5);
  const metrics = await metricsOf(operator);
  expect(valueOf(metrics, series('PersonProperties'))).toBeGreaterThanOrEqual(300);
  expect(valueOf(metrics, series('BroadcastStart'))).toBe(0);
});

test('/metrics tells whose message has waited longest for the engine', async () => {
  const operator = await ask('api');
  await org.person({ email: 'ada@example.com', custom_properties: { vip: true } });
  await world().admin.query(`update outbox set created_at = now() - interval '2 minutes'`);
  const metrics = await metricsOf(operator);
  expect(valueOf(metrics, `rostrum_outbox_oldest_seconds{org_id="${org.id}"}`)).toBeGreaterThanOrEqual(120);
  await world().admin.query('truncate outbox');
  expect(valueOf(await metricsOf(operator), 'rostrum_outbox_oldest_seconds{org_id=""}')).toBe(0);
});

test('/metrics tells how long the oldest hit of any organization has waited to be judged', async () => {
  const operator = await ask('api');
  expect(valueOf(await metricsOf(operator), 'rostrum_judge_lag_seconds')).toBe(0);
  for (const [at, minutes] of [1, 30, 2].entries()) {
    const { id } = at === 0 ? org : await world().newOrg();
    await world().admin.query(
      `insert into tracking_hits (org_id, delivery_id, kind, at, agent, method)
       values ($1, 1, 'open', now() - make_interval(mins => $2), '', 'GET')`,
      [id, minutes],
    );
  }
  const lag = valueOf(await metricsOf(operator), 'rostrum_judge_lag_seconds');
  expect(lag).toBeGreaterThanOrEqual(1_800);
  expect(lag).toBeLessThan(1_900);
});

test('/metrics tells how many connections are busy and how much work waits for one', async () => {
  const operator = await ask('relay');
  const pool = openPool({ url: world().databaseUrl, size: 1, onError: () => undefined });
  stops.push(() => pool.end());
  operator.metrics.watchPool(pool);
  const client = await pool.connect();
  const second = pool.connect();
  const metrics = await metricsOf(operator);
  client.release();
  (await second).release();
  const count = (text: string, state: string): number =>
    valueOf(text, `rostrum_database_connections{state="${state}"}`);
  expect({ busy: count(metrics, 'busy'), waited: count(metrics, 'waited_for') }).toEqual({
    busy: 1,
    waited: 1,
  });
  expect(count(await metricsOf(operator), 'idle')).toBe(1);
});

test('/metrics tells how many domains of each receiver asked all of us for less', async () => {
  const operator = await ask('api');
  await world().admin.query(
    `insert into installation.slow_domains (route, domain, slow_until, next_at, reason)
     select route, domain, now() + left_over, now(), '' from (values ('one', 'gmail.com', interval '1 hour'),
       ('two', 'gmail.com', '1 hour'), ('one', 'googlemail.com', '1 hour'), ('one', 'yahoo.co.uk', '1 hour'),
       ('one', 'example.com', '1 hour'), ('one', 'outlook.com', '-1 minute')) d(route, domain, left_over)`,
  );
  const metrics = await metricsOf(operator);
  const count = (receiver: string): number =>
    valueOf(metrics, `rostrum_receivers_slowed{receiver="${receiver}"}`);
  expect(['google', 'yahoo', 'other', 'microsoft'].map(count)).toEqual([2, 1, 1, 0]);
  expect(metrics).not.toContain('gmail');
});

test('/metrics counts messages by what became of them', async () => {
  const operator = await ask('handlers');
  const count = async (state: string): Promise<number> =>
    valueOf(await metricsOf(operator), `rostrum_messages_total{channel="email",state="${state}"}`);
  expect(await count('uncertain')).toBe(0);
  operator.metrics.outcomes('email', ['sent', 'pending', 'sent', 'uncertain']);
  expect(await Promise.all(['sent', 'uncertain', 'failed', 'skipped'].map(count))).toEqual([2, 1, 0, 0]);
  expect(await metricsOf(operator)).not.toContain('state="pending"');
});

test('/metrics tells how long work waited for a connection', async () => {
  const operator = await ask('api');
  const pool = openPool({ url: world().databaseUrl, size: 1, onError: () => undefined });
  stops.push(() => pool.end());
  const database = openDatabase(pool, operator.metrics.waited);
  const held = await pool.connect();
  const waiting = readOutboxAge(database, new Date());
  await expect.poll(() => pool.waitingCount).toBe(1);
  await pause(300);
  held.release();
  await waiting;
  const metrics = await metricsOf(operator);
  expect(valueOf(metrics, 'rostrum_database_wait_seconds_count')).toBe(1);
  expect(valueOf(metrics, 'rostrum_database_wait_seconds_sum')).toBeGreaterThan(0.29);
});

test('a process that is started watches its own connections', async () => {
  const { metrics } = await ask('relay');
  const watched: unknown[] = [];
  const waits: number[] = [];
  const relay = startRelay(world().config, silent, {
    watchPool: (pool) => watched.push(pool),
    waited: (seconds) => waits.push(seconds),
  });
  await expect.poll(() => waits.length).toBeGreaterThan(0);
  await relay.close();
  expect(watched).toHaveLength(1);
  expect(await metrics.registry.metrics()).toContain('rostrum_database_connections');
});
