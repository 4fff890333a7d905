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

/** Judges whatever hits can be judged now, organization by organization. One that fails does not hold up the others. */
export async function judgeEverywhere(
  database: Database,
  parts: ServiceParts,
  clock: Clock,
  onTrouble: (error: unknown) => void,
): Promise<number> {
  const orgs = (await orgsWithHits(database)).values();
  let total = 0;
  const judge = async (): Promise<void> => {
    for (const org of orgs) {
      const judged = await judgeOrg(database, parts, clock, org).catch(failed);
      total += judged; // not in one with the await, which would forget what others added meanwhile
    }
  };
  const failed = (error: unknown): number => {
    onTrouble(error);
    return 0;
  };
  await Promise.all(Array.from({ length: orgsAtOnce }, judge));
  return total;
}

async function judgeOrg(database: Database, parts: ServiceParts, clock: Clock, org: OrgId): Promise<number> {
  for (let total = 0; ;) {
    const now = clock.now();
    const asked = { org, now, actor: 'tracking', requestId: newId(now) };
    const done = await asService(database, parts, asked, judgeHits);
    total += done?.judged ?? 0;
    if (done?.more !== true) return total;
  }
}

/** Each found by one step in the index of what is not judged, however many hits an organization has. */
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
