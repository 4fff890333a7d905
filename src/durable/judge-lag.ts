import { sql } from 'kysely';
import { relayTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';

/** How many seconds the oldest open or click has waited to be judged. One step in the index for each organization. */
export async function readJudgeLag(database: Database, now: Date): Promise<number> {
  const { rows } = await relayTransaction(database, (db) =>
    sql<{ oldest: Date | null }>`
      with recursive waiting as (
        (select org_id, at from tracking_hits where verdict is null order by org_id, at limit 1)
        union all
        select next.org_id, next.at from waiting w cross join lateral (
          select h.org_id, h.at from tracking_hits h where h.verdict is null and h.org_id > w.org_id
          order by h.org_id, h.at limit 1) next
      )
      select min(at) as oldest from waiting`.execute(db),
  );
  const oldest = rows[0]?.oldest?.getTime() ?? now.getTime();
  return Math.max(0, (now.getTime() - oldest) / 1000);
}
