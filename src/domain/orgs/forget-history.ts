import { sql } from 'kysely';
import { orgTransaction } from '../../database/org-transaction.ts';
import { byKeysFromHere } from '../../database/planner.ts';
import type { Database } from '../../database/pool.ts';
import { newId, type OrgId } from '../../kernel/ids.ts';
import { writeAudit } from './audit.ts';

/** An organization's history that goes before the months of everybody do (ADR 74). */
export const historyTables = [
  'tracking_hits',
  'deliveries',
  'sent_emails',
  'sent_messages',
  'events',
] as const;
export type HistoryTable = (typeof historyTables)[number];

/** Where a pass over one organization is: the table, and how many of its whole months stay. */
export interface HistoryPart {
  readonly org: OrgId;
  readonly table: HistoryTable;
  readonly months: number;
}

const most = 2_000;

/**
 * Deletes some of the oldest rows of one table that are past what the organization keeps, in one transaction with its
 * audit row. Nobody is waited for: rows that others hold go with a later part, and a message that is still to go out
 * stays. Totals were counted and stay. Returns how many went; fewer than `most` when no more can go now.
 */
export const forgetHistory = (
  database: Database,
  { org, table, months }: HistoryPart,
  now: Date,
): Promise<{ count: number; more: boolean }> =>
  orgTransaction(database, org, 'write', async (db) => {
    const { rows: found } = await sql<{ at: Date; keys: unknown }>`
      select ${now}::timestamptz + make_interval(secs => clock_ahead_ms / 1000.0) as at, ${byKeysFromHere}
      from organizations where id = ${org} and state <> 'deleting'`.execute(db);
    if (found[0] === undefined) return { count: 0, more: false };
    const count = await deleteOldest(db, { org, table, months }, found[0].at);
    if (count > 0) {
      const actor = { kind: 'service', id: 'tidying' } as const;
      const caller = { actor, face: 'engine', requestId: newId(now), address: null } as const;
      const touched = { org_id: org, table, rows: String(count) };
      await writeAudit({ db, org, now: found[0].at, caller, touched }, 'forget_history');
    }
    return { count, more: count === most };
  });

async function deleteOldest(db: Database, { org, table, months }: HistoryPart, at: Date): Promise<number> {
  const named = sql.table(table);
  const first = sql`date_trunc('month', ${at}::timestamptz at time zone 'UTC') - make_interval(months => ${months}::int)`;
  const isNumber = table === 'deliveries' || table === 'tracking_hits';
  const before = sql`${sql.raw(isNumber ? 'first_number_of_month' : 'first_uuid_of_month')}((${first}) at time zone 'UTC')`;
  const { rows } = await sql<{ least: string | null; greatest: string | null; ids: string[] | null }>`
    select ids[1] as least, ids[cardinality(ids)] as greatest, ids from (
      select array(
        select id from ${named} where org_id = ${org} and id < ${before}
          ${table === 'deliveries' ? sql`and state not in ('pending', 'sending')` : sql``}
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
