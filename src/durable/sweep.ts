import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { messageNames } from '../database/engine-messages.ts';
import { relayTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import type { Clock } from '../kernel/clock.ts';
import type { EngineObjects } from './engine.ts';
import { foldRunCounts } from './fold-run-counts.ts';
import { noticeGoingBack } from './history-object.ts';
import { analyzeMonths, makeMonths } from './keep-months.ts';
import { tellAgain, type Until } from './tell-again.ts';

const everyMs = 30_000;
const most = 5_000; // at a time; the next sweep takes the rest

type Act = (db: Database) => Promise<number>;

/**
 * Runs each act in a transaction of its own: one that fails, because a table is locked or a right is missing, must not
 * stop the others. Throws the first error after all have run. Returns the count of each.
 */
async function eachApart(database: Database, acts: readonly Act[]): Promise<number[]> {
  const done: number[] = [];
  const errors: unknown[] = [];
  for (const act of acts) {
    await relayTransaction(database, act).then(
      (count) => done.push(count),
      (error: unknown) => errors.push(error),
    );
  }
  if (errors.length > 0) throw errors[0];
  return done;
}

const tellAll = (now: Date, until: Until, limit: number): Act[] =>
  messageNames.map((name) => (db) => tellAgain(db, now, name, until, limit));

export interface Swept {
  readonly rearmed: number;
  readonly foldedCounts: number;
  readonly forgottenAnswers: number;
}

/**
 * Sends the engine a message again for every row that is overdue, so that an engine that lost everything is rebuilt
 * from here. Also folds counts together, forgets old idempotent answers and makes the months to come.
 */
export async function sweep(database: Database, now: Date, overdueSeconds = 30): Promise<Swept> {
  const [forgottenAnswers = 0, foldedCounts = 0, , , , ...rearmed] = await eachApart(database, [
    (db) => forgetAnswers(db, now),
    foldPeopleCounts,
    foldRunCounts,
    makeMonths,
    analyzeMonths,
    ...tellAll(now, { overdueSeconds }, most),
  ]);
  return { rearmed: sum(rearmed), foldedCounts, forgottenAnswers };
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

async function foldPeopleCounts(db: Database): Promise<number> {
  const { numAffectedRows } = await sql`
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
    insert into people_counts (org_id, step) select org_id, sum(step) from taken group by org_id`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

async function forgetAnswers(db: Database, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotent_answers where (org_id, operation, key) in (
      select org_id, operation, key from idempotent_answers
      where created_at < ${now}::timestamptz - interval '24 hours' limit ${most})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

const tenYears = 10 * 366 * 86_400;

/**
 * Sends an engine that may have lost everything a message for all that is due, and every alarm that is still to fire.
 * An alarm that the engine has already fires twice, which does nothing. Returns how many were sent.
 */
export const rearm = async (database: Database, now: Date): Promise<number> =>
  sum(
    await eachApart(
      database,
      tellAll(now, { overdueSeconds: 0, alarmsAheadSeconds: tenYears }, Number.MAX_SAFE_INTEGER),
    ),
  );

export async function runSweeps(
  database: Database,
  engine: EngineObjects,
  clock: Clock,
  stop: AbortSignal,
  onTrouble: (error: unknown) => void,
): Promise<void> {
  while (!stop.aborted) {
    await Promise.all([
      sweep(database, clock.now()).catch(onTrouble),
      noticeGoingBack(database, engine, clock.now()).catch(onTrouble),
    ]);
    await pause(everyMs, undefined, { signal: stop }).catch(() => undefined);
  }
}
