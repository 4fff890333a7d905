import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../src/main/free-ports.ts';
import { holdSending } from '../../src/database/held-sending.ts';
import { openPool } from '../../src/database/pool.ts';
import { readConfig } from '../../src/main/config.ts';
import { startOperator, type Operator } from '../../src/main/operator.ts';
import { useWorld } from '../support/world.ts';
import { startPrometheus, type Prometheus } from './prometheus.ts';

const rules = 'ops/prometheus/alerts.yaml';

const world = useWorld();
const stops: (() => Promise<unknown>)[] = [];
let operator: Operator;
let prometheus: Prometheus;

beforeAll(async () => {
  operator = await startOperator(
    readConfig({
      DATABASE_URL: world().databaseUrl,
      ROSTRUM_SECRET: world().config.ROSTRUM_SECRET,
      OPERATOR_PORT: '0',
    }),
    'all',
    pino({ level: 'silent' }),
  );
  operator.serve();
  stops.push(() => operator.close());
  const gone = `127.0.0.1:${await freePort()}`;
  prometheus = await startPrometheus(rules, [new URL(operator.url).host, gone]);
  stops.push(() => prometheus.close());
});
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

/** Something that is done over and over until the alert fires. */
type Again = () => void;

/** What makes each alert fire. One that is not here has no test, and one that is not in the rules never fires. */
const causes: Readonly<Record<string, () => Promise<Again | void>>> = {
  RostrumProcessDown: async () => undefined, // the second target
  RostrumSendingHeld: async () => {
    await holdSending(world().database, new Date(), 'A test.');
  },
  RostrumWorkLate: async () => {
    const org = await world().newOrg();
    await org.rest('POST /v1/property-configs', { key: 'vip', name: 'VIP', type: 'boolean' });
    await org.person({ email: 'ada@example.com', custom_properties: { vip: true } });
    await world().admin.query(`update property_changes set requested_at = now() - interval '5 minutes'`);
  },
  RostrumOutboxStuck: async () => {
    await world().admin.query(`update outbox set created_at = now() - interval '2 minutes'`);
  },
  RostrumMessagesUncertain: async () => () => {
    operator.metrics.outcomes('email', [
      ...Array<string>(900).fill('sent'),
      ...Array<string>(20).fill('uncertain'),
    ]);
  },
  RostrumCallsFail: async () => () => operator.metrics.observe('rest', 'get_person', '500', 0.01),
  RostrumCallsSlow: async () => () => operator.metrics.observe('rest', 'get_person', '200', 4),
  RostrumConnectionsExhausted: async () => {
    const pool = openPool({ url: world().databaseUrl, size: 1, onError: () => undefined });
    pool.options.connectionTimeoutMillis = 0; // whoever waits, waits
    operator.metrics.watchPool(pool);
    const client = await pool.connect();
    const waiting = pool.connect();
    stops.push(async () => {
      client.release();
      (await waiting).release();
      await pool.end();
    });
  },
  RostrumCallsShed: async () => () => {
    for (let call = 0; call < 100; call++) operator.metrics.shed('unknown_keys');
  },
  RostrumThreadBusy: async () => () => {
    const until = performance.now() + 400;
    while (performance.now() < until);
  },
  RostrumJudgingLate: async () => {
    const { id } = await world().newOrg();
    await world().admin.query(
      `insert into tracking_hits (org_id, delivery_id, kind, at, agent, method)
       values ($1, 1, 'open', now() - interval '1 hour', '', 'GET')`,
      [id],
    );
  },
};

test('promtool finds nothing wrong with the rules', async () => {
  const { stdout } = await promisify(execFile)('promtool', ['check', 'rules', rules]);
  expect(stdout).toContain(`SUCCESS: ${Object.keys(causes).length} rules found`);
});

test('no alert fires of a service that is well, but for the process that is not there', async () => {
  await expect.poll(() => prometheus.firing()).toEqual(['RostrumProcessDown']);
});

test.each(Object.entries(causes))('%s fires for its cause', async (name, cause) => {
  const again = await cause();
  const isFiring = async (): Promise<boolean> => {
    again?.();
    return (await prometheus.firing()).includes(name);
  };
  await expect.poll(isFiring, { timeout: 60_000, interval: 300 }).toBe(true);
});

test('rules and dashboard ask only for metrics that there are', async () => {
  const asked = (await readFile(rules, 'utf8')) + (await readFile('ops/grafana/rostrum.json', 'utf8'));
  const names = new Set(asked.match(/\b(rostrum|nodejs|process)_[a-z0-9_]+(?=[\s{[()"])/g));
  expect(names.size).toBeGreaterThan(8);
  const metrics = await (await fetch(`${operator.url}/metrics`)).text();
  expect([...names].filter((name) => !metrics.includes(`\n${name}`))).toEqual([]);
});

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

test('every query of the dashboard gives data while the service has something to show', async () => {
  const { panels } = JSON.parse(await readFile('ops/grafana/rostrum.json', 'utf8')) as { panels: Panel[] };
  const asked = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
  expect(asked.length).toBeGreaterThan(12);
  await world().admin.query(
    `insert into installation.slow_domains (route, domain, slow_until, next_at, reason)
     values ('default', 'gmail.com', now() + interval '1 hour', now(), 'x')`,
  );
  const empty = async (): Promise<string[]> => {
    operator.metrics.observe('rest', 'get_person', '500', 0.01);
    operator.metrics.outcomes('email', ['sent', 'uncertain']);
    operator.metrics.waited(0.01);
    operator.metrics.shed('no_place');
    const counts = await Promise.all(asked.map(({ expr }) => prometheus.count(expr)));
    return asked.filter((_, n) => counts[n] === 0).map(({ title, expr }) => `${title}: ${expr}`);
  };
  await expect.poll(empty, { timeout: 60_000, interval: 500 }).toEqual([]);
});

test('every alert says what it is about and what to do', async () => {
  const text = await readFile(rules, 'utf8');
  const count = (part: string): number => text.split(part).length - 1;
  expect([count('summary: '), count('action: '), count('severity: ')]).toEqual(
    Array.from({ length: 3 }, () => Object.keys(causes).length),
  );
});
