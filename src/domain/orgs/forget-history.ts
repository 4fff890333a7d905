import { sql, type RawBuilder } from 'kysely';
import { tryThing } from '../../database/locks.ts';
import { orgTransaction } from '../../database/org-transaction.ts';
import { byKeysFromHere } from '../../database/planner.ts';
import type { Database } from '../../database/pool.ts';
import { newId, type OrgId } from '../../kernel/ids.ts';
import { writeAudit } from './audit.ts';

/** An organization's history that goes before the months of everybody do (ADR 74). */
export const historyTables = ['tracking_hits', 'deliveries', 'events'] as const;
/** What is not kept by month: of everybody it goes by rows (ADR 84). */
export const rowTables = ['workflow_runs', 'import_failures'] as const;
export type RowTable = (typeof rowTables)[number];
export type HistoryTable = (typeof historyTables)[number];

/** Where a pass over one organization is: the table, and how many of its whole months stay. */
export interface HistoryPart {
  readonly org: OrgId;
  readonly table: HistoryTable | RowTable;
  readonly months: number;
}

const most = 2_000;

/** The moment at which the months that are kept begin, in SQL. */
export const keptFrom = (at: RawBuilder<unknown>, months: RawBuilder<unknown>): RawBuilder<Date> => sql`
  ((date_trunc('month', (${at}) at time zone 'UTC') - make_interval(months => (${months})::int)) at time zone 'UTC')`;

/**
 * Deletes some of the oldest rows of one table that are past what the organization keeps, in one transaction with its
 * audit row. Nobody is waited for: rows that others hold go with a later part, and a message that is still to go out
 * stays, as does a run under way. Totals were counted and stay. Returns how many went; fewer than `most` when no more
 * can go now, or another process is at it.
 */
export const forgetHistory = (
  database: Database,
  { org, table, months }: HistoryPart,
  now: Date,
): Promise<{ count: number; more: boolean }> =>
  orgTransaction(database, org, 'write', async (db) => {
    const { rows: found } = await sql<{ at: Date; keys: unknown }>`
      select ${now}::timestamptz + make_interval(secs => clock_ahead_ms / 1000.0) as at,
        set_config('app.forgetting', 'on', true), ${byKeysFromHere}
      from organizations where id = ${org} and state <> 'deleting'`.execute(db);
    if (found[0] === undefined || !(await tryThing(db, 'tidying', `${table} ${org}`)))
      return { count: 0, more: false };
    const before = keptFrom(sql`${found[0].at}::timestamptz`, sql`${months}`);
    const count =
      table === 'import_failures'
        ? await deleteLeftOut(db, org, before)
        : await deleteOldest(db, { org, table }, before);
    if (count > 0) {
      const actor = { kind: 'service', id: 'tidying' } as const;
      const caller = { actor, face: 'engine', requestId: newId(now), address: null } as const;
      const touched = { org_id: org, table, rows: String(count) };
      await writeAudit({ db, org, now: found[0].at, caller, touched }, 'forget_history');
    }
    return { count, more: count === most };
  });

/** Rows that are past their time and still needed. */
const stays = (table: HistoryPart['table'], before: RawBuilder<Date>): RawBuilder<unknown> => {
  if (table === 'deliveries') return sql`and state not in ('pending', 'sending')`;
  return table === 'workflow_runs' ? sql`and state = 'ended' and ended_at < ${before}` : sql``;
};

async function deleteOldest(
  db: Database,
  { org, table }: Pick<HistoryPart, 'org' | 'table'>,
  before: RawBuilder<Date>,
): Promise<number> {
  const named = sql.table(table);
  const isNumber = table === 'deliveries' || table === 'tracking_hits';
  const lowestKept = sql`${sql.raw(isNumber ? 'first_number_of_month' : 'first_uuid_of_month')}(${before})`;
  const { rows } = await sql<{ least: string | null; greatest: string | null; ids: string[] | null }>`
    select ids[1] as least, ids[cardinality(ids)] as greatest, ids from (
      select array(
        select id from ${named} where org_id = ${org} and id < ${lowestKept} ${stays(table, before)}
        order by id limit ${most} for update skip locked) as ids) oldest`.execute(db);
  const { least, greatest, ids } = rows[0]!;
  if (ids === null || ids.length === 0) return 0;
  // The first and last id are said as well, so that no other month is looked at.
  const gone = sql`
    delete from ${named} where org_id = ${org} and id between ${least} and ${greatest} and id = any(${ids})`;
  if (table === 'events') {
    await sql`
      with gone as (${gone} returning event_id)
      delete from named_events where org_id = ${org}
        and event_id = any(array(select event_id from gone where event_id is not null))`.execute(db);
  } else await gone.execute(db);
  return ids.length;
}

/** The rows that an import left out. How many they were stands in the import, which stays. */
async function deleteLeftOut(db: Database, org: OrgId, before: RawBuilder<Date>): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from import_failures where ctid = any(array(
      select f.ctid from import_failures f
      where f.org_id = ${org} and f.import_id < first_uuid_of_month(${before}) and exists (
        select 1 from imports i where i.org_id = f.org_id and i.id = f.import_id and i.finished_at < ${before})
      order by f.import_id, f.outcome, f.row limit ${most}))`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
