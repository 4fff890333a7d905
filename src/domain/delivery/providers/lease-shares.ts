import { sql } from 'kysely';
import { relayTransaction } from '../../../database/org-transaction.ts';
import type { Database } from '../../../database/pool.ts';

export interface WantedShare {
  readonly budget: string;
  readonly total: number;
  /** What the process uses now: others get nothing of it until it is free. */
  readonly in_use: number;
}

const leaseMs = 20_000;

/**
 * Leases a process its part of each budget. Processes have equal parts and together no more than the budget: one that
 * comes gets what the others have freed. One is the least a process has, so that it can send at once even after a crash,
 * while the lease of its predecessor still runs.
 */
export const leaseShares = (
  database: Database,
  process: string,
  wanted: readonly WantedShare[],
  now: Date,
): Promise<Map<string, number>> =>
  relayTransaction(database, async (db) => {
    await sql`lock table installation.budget_shares in share row exclusive mode`.execute(db);
    await sql`delete from installation.budget_shares where leased_until <= ${now}`.execute(db);
    const { rows } = await sql<{ budget: string; share: number }>`
      with parts as (
        select w.budget, w.in_use, greatest(1, least(
            (w.total + others.processes - others.before) / (others.processes + 1), w.total - others.share)) as share
        from json_to_recordset(${JSON.stringify(wanted)}::json) as w(budget text, total bigint, in_use bigint),
          lateral (
            select count(*) as processes, count(*) filter (where process < ${process}::uuid) as before,
              coalesce(sum(share), 0)::bigint as share
            from installation.budget_shares o where o.budget = w.budget and o.process <> ${process}::uuid) others),
      leased as (
        insert into installation.budget_shares (budget, process, share, leased_until)
        select budget, ${process}::uuid, greatest(in_use, share), ${new Date(now.getTime() + leaseMs)}::timestamptz
        from parts
        on conflict (budget, process) do update set share = excluded.share, leased_until = excluded.leased_until)
      select budget, share from parts`.execute(db);
    return new Map(rows.map(({ budget, share }) => [budget, share]));
  });

export const returnShares = async (database: Database, process: string): Promise<void> =>
  void (await relayTransaction(database, (db) =>
    sql`delete from installation.budget_shares where process = ${process}::uuid`.execute(db),
  ));
