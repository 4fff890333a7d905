// What grows with time and is not kept by month: ended runs of workflows, and the rows that imports left out (ADR 84).
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { tryThing } from '../../src/database/locks.ts';
import { relayTransaction } from '../../src/database/org-transaction.ts';
import { forgetHistories } from '../../src/durable/forget-histories.ts';
import { pastRows } from '../../src/durable/past-rows.ts';
import { rowTables, type RowTable } from '../../src/domain/orgs/forget-history.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { auditOf } from '../support/audit.ts';
import type { TestOrg } from '../support/test-org.ts';
import { inLine, newWorkflow, onEvent } from '../support/workflow.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
beforeEach(async () => {
  await world().admin.query('delete from workflow_runs; delete from import_failures');
});

const monthly = { tracking_hits: 25, events: 25, deliveries: 25 };
const keep = { ...monthly, audit_log: 84, workflow_runs: 6, import_failures: 6 };

async function forget({ atLeast = 1, kept = keep } = {}): Promise<Record<string, [string, number][]>> {
  const found: Record<string, [string, number][]> = {};
  await forgetHistories(world().database, systemClock, new AbortController().signal, {
    keep: kept,
    atLeast,
    onForgotten: ({ org_id, table, rows }) => (found[org_id] ??= []).push([table, rows]),
    onTrouble: (error) => {
      throw error;
    },
  });
  return found;
}

interface Setting {
  readonly org: TestOrg;
  readonly person: string;
  readonly workflow: string;
}

async function newSetting(history_months: number | null = null): Promise<Setting> {
  const org = await world().newOrg();
  const person = await org.person({ email: 'ann@example.com' });
  const { id: workflow } = await newWorkflow(org, inLine(onEvent('bought')));
  if (history_months !== null) await org.rest('PATCH /v1/settings', { history_months });
  return { org, person, workflow };
}

const monthsAgo = `(date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'
  - make_interval(months => $2::int) + interval '5 days')`;

/** So many runs that began in the middle of a month and ended as many months ago. */
const addRuns = async ({ org, person, workflow }: Setting, began: number, count = 1, ended = began) =>
  void (await world().admin.query(
    `insert into workflow_runs (org_id, id, workflow_id, version, person_id, state, started_at, ended_at)
     select $1::uuid, new_id(at), $3::uuid, 1, $4::uuid, case when $6::int is null then 'running' else 'ended' end, at,
       at + make_interval(months => $2::int - $6::int)
     from generate_series(1, $5::int), (select ${monthsAgo} as at) moment`,
    [org.id, began, workflow, person, count, ended < 0 ? null : ended],
  ));

/** An import of that age with so many rows left out. */
async function addImport({ org }: Setting, ago: number, count = 1, finished = true): Promise<string> {
  const { rows } = await world().admin.query<{ id: string }>(
    `insert into imports (org_id, id, name, file_name, source, status, columns, staged_rows, failed, created_at, committed_at, finished_at)
     select $1::uuid, new_id(at), 'x', 'x', 'rows', 'completed_with_failures', '["Mail"]', $3::int, $3::int, at, at,
       case when $4 then at end
     from (select ${monthsAgo} as at) moment returning id`,
    [org.id, ago, count, finished],
  );
  const { id } = rows[0]!;
  await world().admin.query(
    `insert into import_failures (org_id, import_id, row, outcome, code, reason)
     select $1, $2, n, 'failed', 'x', 'x' from generate_series(1, $3::int) n`,
    [org.id, id, count],
  );
  return id;
}

const countOf = async (table: RowTable, { org }: Setting): Promise<number> =>
  (await world().admin.query(`select count(*)::int as n from ${table} where org_id = $1`, [org.id])).rows[0]
    .n;

test('of everybody they go after the months that the operator keeps, audited; of one who keeps less, earlier', async () => {
  const [usual, shorter, longer] = [await newSetting(), await newSetting(3), await newSetting(100)];
  for (const one of [usual, shorter, longer])
    for (const ago of [2, 5, 7]) {
      await addRuns(one, ago);
      await addImport(one, ago);
    }
  const each = (rows: number): [string, number][] => rowTables.map((table) => [table, rows]);
  expect(await forget()).toEqual({
    [usual.org.id]: each(1),
    [shorter.org.id]: each(2),
    [longer.org.id]: each(1),
  });
  const audited = await auditOf(world(), shorter.org, 'forget_history');
  expect(audited.map(({ ids }) => ids)).toEqual(
    rowTables.map((table) => ({ org_id: shorter.org.id, table, rows: '2' })),
  );
  expect(await forget()).toEqual({});
  expect(await forget({ kept: { ...keep, workflow_runs: 4, import_failures: 4 } })).toMatchObject({
    [usual.org.id]: each(1),
  });
});

test('a run under way stays however old, as does one that ended within the months, and an import that has not finished', async () => {
  const one = await newSetting();
  await addRuns(one, 20, 1, -1);
  await addRuns(one, 20, 1, 2);
  await addImport(one, 20, 3, false);
  expect(await forget()).toEqual({});
  expect([await countOf('workflow_runs', one), await countOf('import_failures', one)]).toEqual([2, 3]);
});

test('totals stay: the runs of a workflow, and how many rows an import left out; lists count what they can show', async () => {
  const one = await newSetting();
  await addRuns(one, 9, 3);
  await addRuns(one, 1, 2);
  const id = await addImport(one, 9, 4);
  await forget();
  const { rows } = await world().admin.query<{ begun: number }>(
    'select sum(step)::int as begun from workflow_run_counts where org_id = $1',
    [one.org.id],
  );
  expect(rows).toEqual([{ begun: 5 }]);
  const runs = (await one.org.rest(`GET /v1/workflows/${one.workflow}/runs`)).body;
  expect([runs.total, runs.runs.length]).toEqual([2, 2]);
  const ended = (await one.org.rest(`GET /v1/workflows/${one.workflow}/runs?state=ended`)).body;
  expect(ended.total).toBe(2);
  expect((await one.org.rest(`GET /v1/imports/${id}`)).body).toMatchObject({ failed: 4, failed_rows: [] });
});

test('as many parts as it takes', async () => {
  const one = await newSetting();
  await addRuns(one, 9, 4_100);
  await addImport(one, 9, 4_100);
  expect(await forget()).toEqual({ [one.org.id]: rowTables.map((table) => [table, 4_100]) });
  expect(await auditOf(world(), one.org, 'forget_history')).toHaveLength(6);
});

test('while another process tidies an organization, this one leaves it alone', async () => {
  const one = await newSetting();
  await addRuns(one, 9);
  await world()
    .database.transaction()
    .execute(async (other) => {
      expect(await tryThing(other, 'tidying', `workflow_runs ${one.org.id}`)).toBe(true);
      expect(await forget()).toEqual({});
    });
  expect(await forget()).toEqual({ [one.org.id]: [['workflow_runs', 1]] });
});

test('looking for what is past costs a look into the key of each organization, however many rows there are', async () => {
  const one = await newSetting();
  const add = async (count: number) => {
    await addRuns(one, 1, count);
    await addImport(one, 1, count);
    for (const table of rowTables) await world().admin.query(`vacuum analyze ${table}`);
  };
  await add(1_000);
  const few = await Promise.all(rowTables.map(buffersOf));
  for (let n = 0; n < 5; n++) await add(10_000);
  const many = await Promise.all(rowTables.map(buffersOf));
  for (const [n] of rowTables.entries()) expect(many[n]).toBeLessThan(few[n]! + 10);
});

/** How many pages it reads to find who has rows that are past. */
const buffersOf = (table: RowTable): Promise<number> =>
  relayTransaction(world().database, async (db) => {
    const asked = pastRows(table, new Date(), { keep, atLeast: 1 });
    const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>`
      explain (analyze, buffers, format json) ${asked}`.execute(db);
    const { Plan } = rows[0]!['QUERY PLAN'][0];
    return Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!;
  });
