// What an organization keeps for a shorter time than the operator does (ADR 74).
import { beforeEach, expect, test } from 'vitest';
import { forgetHistories } from '../../src/durable/forget-histories.ts';
import { historyTables } from '../../src/domain/orgs/forget-history.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { addDelivery, newSending } from '../support/arrange-ledger.ts';
import { auditOf } from '../support/audit.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
beforeEach(async () => {
  await world().admin.query('update organizations set history_months = null');
});

const keep = {
  tracking_hits: 25,
  events: 25,
  deliveries: 25,
  audit_log: 84,
  workflow_runs: 25,
  import_failures: 25,
};

interface Forgotten {
  readonly org_id: string;
  readonly table: string;
  readonly rows: number;
}

async function forget({ atLeast = 1, kept = keep } = {}): Promise<Forgotten[]> {
  const forgotten: Forgotten[] = [];
  await forgetHistories(world().database, systemClock, new AbortController().signal, {
    keep: kept,
    atLeast,
    onForgotten: (fields) => void forgotten.push(fields),
    onTrouble: (error) => {
      throw error;
    },
  });
  return forgotten;
}

const ids = {
  tracking_hits: 'first_number_of_month(at) + n',
  deliveries: 'first_number_of_month(at) + n',
  events: 'new_id(at)',
};
const columns = {
  tracking_hits: ['delivery_id, kind, at, agent, method', "1, 'open', at, 'x', 'GET'"],
  deliveries: ['broadcast_id, person_id, state, due_at', "gen_random_uuid(), $2::uuid, 'sent', at"],
  events: [
    'person_id, name, occurred_at, created_at, event_id',
    "$2::uuid, 'x', at, at, 'e-' || $3::int || '-' || n",
  ],
};

/** So many rows of each table, in the middle of a month. */
async function add(org: TestOrg, person: string, ago: number, count = 1): Promise<void> {
  const { admin } = world();
  for (const table of historyTables) {
    const [names, values] = columns[table];
    await admin.query(
      `insert into ${table} (org_id, id, ${names}) select $1::uuid, ${ids[table]}, ${values}
       from generate_series(1, $4::int) n, (select date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'
         - make_interval(months => $3::int) + interval '5 days' as at) moment
       where $2::uuid is not null`,
      [org.id, person, ago, count],
    );
  }
  await admin.query(
    `insert into named_events (org_id, event_id, person_id, id)
     select org_id, event_id, person_id, id from events where org_id = $1 and event_id is not null on conflict do nothing`,
    [org.id],
  );
}

async function counts(org: TestOrg): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const table of [...historyTables, 'named_events']) {
    const { rows } = await world().admin.query(`select count(*)::int as n from ${table} where org_id = $1`, [
      org.id,
    ]);
    found[table] = rows[0].n;
  }
  return found;
}

const all = (n: number): Record<string, number> =>
  Object.fromEntries([...historyTables, 'named_events'].map((table) => [table, n]));

async function newOrg(history_months: number | null): Promise<{ org: TestOrg; person: string }> {
  const org = await world().newOrg();
  const person = await org.person({ email: 'ann@example.com' });
  await world().admin.query('delete from events where org_id = $1', [org.id]);
  if (history_months !== null) await org.rest('PATCH /v1/settings', { history_months });
  return { org, person };
}

test('rows older than the months an organization keeps go, audited; the others stay, as do those of other organizations', async () => {
  const [shorter, usual] = [await newOrg(4), await newOrg(null)];
  for (const { org, person } of [shorter, usual]) for (const ago of [4, 5, 9]) await add(org, person, ago);
  const forgotten = await forget();
  expect(forgotten.map(({ table, rows }) => [table, rows])).toEqual(historyTables.map((table) => [table, 2]));
  expect(await counts(shorter.org)).toEqual(all(1));
  expect(await counts(usual.org)).toEqual(all(3));
  const audited = await auditOf(world(), shorter.org, 'forget_history');
  expect(audited.map(({ ids: touched }) => touched)).toEqual(
    historyTables.map((table) => ({ org_id: shorter.org.id, table, rows: '2' })),
  );
  expect(await forget()).toEqual([]);
});

test('as many parts as it takes, in turns: an organization with little does not wait for one with much', async () => {
  const [much, little] = [await newOrg(1), await newOrg(1)];
  await add(much.org, much.person, 3, 4_100);
  await add(little.org, little.person, 3, 1);
  const forgotten = await forget();
  const first = (org: TestOrg) => forgotten.findIndex(({ org_id }) => org_id === org.id);
  expect(first(little.org)).toBeLessThan(first(much.org));
  expect(await counts(much.org)).toEqual(all(0));
  expect(await auditOf(world(), much.org, 'forget_history')).toHaveLength(3 * historyTables.length);
});

test('the operator says the least and the most', async () => {
  const { org, person } = await newOrg(1);
  for (const ago of [2, 4, 6]) await add(org, person, ago);
  const kept = { ...keep, deliveries: 5, events: 5, tracking_hits: 5 };
  expect(await forget({ atLeast: 5, kept })).toEqual([]);
  expect((await forget({ atLeast: 3, kept })).map(({ rows }) => rows)).toEqual([2, 2, 2]);
  expect(await counts(org)).toEqual(all(1));
});

test('what is still to go out stays, and the totals are what they were', async () => {
  const { org, person } = await newOrg(1);
  const id = await newSending(world(), org, { started_at: '2020-01-05T00:00:00Z' });
  const { admin } = world();
  const old = `first_number_of_month('2020-01-05T00:00:00Z')`;
  const [waits, sent] = [
    await addDelivery(world(), org, id, person, {}),
    await addDelivery(world(), org, id, null, { state: 'sent', sent_at: new Date() }),
  ];
  for (const [n, one] of [waits, sent].entries()) {
    await admin.query(`update deliveries set id = ${old} + $2 where id = $1`, [one, n + 1]);
    await admin.query(`update delivery_queue set id = ${old} + $2 where id = $1`, [one, n + 1]);
  }
  const before = (await org.rest(`GET /v1/broadcasts/${id}/stats`)).body.totals;
  expect(before).toMatchObject({ recipients: 2, sent: 1, pending: 1 });
  expect(await forget()).toMatchObject([{ table: 'deliveries', rows: 1 }]);
  const { rows } = await admin.query('select state from deliveries where org_id = $1', [org.id]);
  expect(rows).toEqual([{ state: 'pending' }]);
  expect((await org.rest(`GET /v1/broadcasts/${id}/stats`)).body.totals).toEqual(before);
});

test('months that nobody can keep are refused, and null keeps as long as the installation does', async () => {
  const { org } = await newOrg(6);
  for (const wrong of [0, 1.5, 1_201, '6', -1]) {
    expect((await org.rest('PATCH /v1/settings', { history_months: wrong })).status).toBe(400);
  }
  expect((await org.rest('GET /v1/settings')).body.settings.history_months).toBe(6);
  const { body } = await org.rest('PATCH /v1/settings', { history_months: null });
  expect(body.settings.history_months).toBe(null);
});
