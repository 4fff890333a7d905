import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { relayTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import type { ServiceParts } from '../database/service-work.ts';
import { asService } from '../domain/orgs/as-service.ts';
import { judgeHits } from '../domain/tracking/judge-hits.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId, type OrgId } from '../kernel/ids.ts';

const everyMs = 1_000;
const orgsAtOnce = 4;

/**
 * Judges all hits that can be judged now. Organizations take turns of one batch, and whoever has new hits joins the next
 * round. One that fails does not hold up the others.
 */
export async function judgeEverywhere(
  database: Database,
  parts: ServiceParts,
  clock: Clock,
  onTrouble: (error: unknown) => void,
): Promise<number> {
  let total = 0;
  let more = true;
  const judgeBatch = async (org: OrgId): Promise<void> => {
    const now = clock.now();
    const asked = { org, now, actor: 'tracking', requestId: newId(now) };
    const done = await asService(database, parts, asked, judgeHits);
    total += done?.judged ?? 0;
    more ||= done?.more === true;
  };
  while (more) {
    more = false;
    const orgs = (await orgsWithHits(database)).values();
    const takeTurns = async (): Promise<void> => {
      for (const org of orgs) await judgeBatch(org).catch(onTrouble);
    };
    await Promise.all(Array.from({ length: orgsAtOnce }, takeTurns));
  }
  return total;
}

/** Finds each organization by one step in the index of unjudged hits, however many hits it has. */
const orgsWithHits = (database: Database): Promise<OrgId[]> =>
  relayTransaction(database, async (db) => {
    const { rows } = await sql<{ org_id: OrgId }>`
      with recursive waiting as (
        (select org_id from tracking_hits where verdict is null order by org_id limit 1)
        union all
        select (select h.org_id from tracking_hits h where h.verdict is null and h.org_id > w.org_id
          order by h.org_id limit 1)
        from waiting w where w.org_id is not null
      )
      select org_id from waiting where org_id is not null`.execute(db);
    return rows.map(({ org_id }) => org_id);
  });

export async function runJudging(
  database: Database,
  parts: ServiceParts,
  clock: Clock,
  stop: AbortSignal,
  onTrouble: (error: unknown) => void,
): Promise<void> {
  while (!stop.aborted) {
    await judgeEverywhere(database, parts, clock, onTrouble).catch(onTrouble);
    await pause(everyMs, undefined, { signal: stop }).catch(() => undefined);
  }
}
