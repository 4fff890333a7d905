import { sql, type RawBuilder } from 'kysely';
import { relayTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import { keptFrom, rowTables, type HistoryPart, type RowTable } from '../domain/orgs/forget-history.ts';
import type { OrgId } from '../kernel/ids.ts';

export interface KeepRows {
  readonly keep: Readonly<Record<RowTable, number>>;
  /** No organization's setting is taken for less. */
  readonly atLeast: number;
}

/** Which organizations have rows past what is kept, of tables that are not kept by month (ADR 84). */
export async function rowParts(
  database: Database,
  now: Date,
  kept: KeepRows,
  onTrouble: (error: unknown) => void,
): Promise<HistoryPart[]> {
  const found: HistoryPart[] = [];
  for (const table of rowTables) {
    const result = await relayTransaction(database, (db) => pastRows(table, now, kept).execute(db)).catch(
      onTrouble,
    );
    found.push(...(result?.rows ?? []).map((row) => ({ ...row, table })));
  }
  return found;
}

/** One look into the primary key for each organization: its oldest row tells, however many there are. */
export function pastRows(
  table: RowTable,
  now: Date,
  { keep, atLeast }: KeepRows,
): RawBuilder<{ org: OrgId; months: number }> {
  const most = sql`${keep[table]}::int`;
  const clock = sql`${now}::timestamptz + make_interval(secs => o.clock_ahead_ms / 1000.0)`;
  const before = sql`first_uuid_of_month(${keptFrom(clock, sql`m.months`)})`;
  const oldest = {
    workflow_runs: sql`
      select id from workflow_runs where org_id = o.id and id < ${before} and state = 'ended' order by id`,
    import_failures: sql`
      select import_id from import_failures where org_id = o.id and import_id < ${before} order by import_id`,
  };
  return sql`
    select o.id as org, m.months from organizations o
    cross join lateral (
      select least(${most}, greatest(${atLeast}::int, coalesce(o.history_months::int, ${most}))) as months) m
    cross join lateral (${oldest[table]} limit 1) past
    where o.state <> 'deleting' order by o.id`;
}
