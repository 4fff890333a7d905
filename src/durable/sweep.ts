import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { relayTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import type { Clock } from '../kernel/clock.ts';
import { foldRunCounts } from './fold-run-counts.ts';
import { everythingDue, tellAgain } from './tell-again.ts';

const everyMs = 30_000;
const most = 5_000; // at a time; the next sweep takes the rest

export interface Swept {
  readonly rearmed: number;
  readonly foldedCounts: number;
  readonly forgottenAnswers: number;
}

/**
 * What keeps the engine honest: whatever is overdue in the rows is told to it again, so an engine that lost everything
 * is rebuilt from here. Also folds counts together and forgets old idempotent answers.
 */
export const sweep = (database: Database, now: Date, overdueSeconds = 30): Promise<Swept> =>
  relayTransaction(database, async (db) => {
    let rearmed = 0;
    for (const due of everythingDue(now, { overdueSeconds })) rearmed += await tellAgain(db, now, due, most);
    const folded = await sql`
      with crowded as (
        select org_id from people_counts group by org_id having count(*) > 20 limit 1000
      ), taken as (
        delete from people_counts p
        using (
          select c.org_id, c.id from people_counts c join crowded using (org_id)
          order by c.org_id, c.id for update of c skip locked
        ) t
        where p.org_id = t.org_id and p.id = t.id
        returning p.org_id, p.step
      )
      insert into people_counts (org_id, step) select org_id, sum(step) from taken group by org_id`.execute(
      db,
    );
    await foldRunCounts(db);
    const forgotten = await sql`
      delete from idempotent_answers where (org_id, operation, key) in (
        select org_id, operation, key from idempotent_answers
        where created_at < ${now}::timestamptz - interval '24 hours' limit ${most})`.execute(db);
    return {
      rearmed,
      foldedCounts: Number(folded.numAffectedRows ?? 0n),
      forgottenAnswers: Number(forgotten.numAffectedRows ?? 0n),
    };
  });

const tenYears = 10 * 366 * 86_400;

/**
 * Tells an engine that may know nothing about everything there is: what is due, and every alarm that is still to ring.
 * One it knows of already rings twice, which does nothing. Answers how many.
 */
export const rearm = (database: Database, now: Date): Promise<number> =>
  relayTransaction(database, async (db) => {
    let rearmed = 0;
    for (const due of everythingDue(now, { overdueSeconds: 0, alarmsAheadSeconds: tenYears })) {
      rearmed += await tellAgain(db, now, due, Number.MAX_SAFE_INTEGER);
    }
    return rearmed;
  });

export async function runSweeps(
  database: Database,
  clock: Clock,
  stop: AbortSignal,
  onTrouble: (error: unknown) => void,
): Promise<void> {
  while (!stop.aborted) {
    await sweep(database, clock.now()).catch(onTrouble);
    await pause(everyMs, undefined, { signal: stop }).catch(() => undefined);
  }
}
