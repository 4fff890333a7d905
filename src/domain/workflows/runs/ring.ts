import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../../database/pool.ts';
import type { ServiceParts } from '../../../database/service-work.ts';
import type { Work } from '../../../database/work.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { OrgId } from '../../../kernel/ids.ts';
import { asService } from '../../orgs/as-service.ts';
import { earliest, holdClock, setClock } from '../../waits/clock.ts';
import { releaseDue } from './release.ts';

export interface RingParts extends ServiceParts {
  readonly database: Database;
  readonly clock: Clock;
  /** Once aborted, no further part begins. */
  readonly stopping: AbortSignal;
}

/** Identifies the alarm: the clock ignores one that was set for another time. */
export interface Ring {
  readonly org_id: OrgId;
  readonly clock_id: string;
  readonly at: Date;
  /** Who releases; a retry has the same holder. */
  readonly holder: string;
}

/** The outcome. `early`: ring again after `waitMs`; `more`: ring again at once, there is more to release. */
export type RingOutcome =
  | { readonly outcome: 'moved_on' | 'more' | 'done'; readonly released: number }
  | { readonly outcome: 'early'; readonly waitMs: number };

const pauseMs = 20;
const part = 1_000; // runs in a transaction
const ringMs = 8_000; // then returns to the engine, which may stop it or move it elsewhere
const leaseSeconds = 60; // longer than any part takes

/**
 * Releases everything due on one clock, part after part, and sets the clock to what comes next. Only the rows decide: a
 * ring too many finds nothing to do, and an interrupted one is rung again.
 */
export async function ring(parts: RingParts, ref: Ring): Promise<RingOutcome> {
  const began = parts.clock.now().getTime();
  const taken = await inRing(parts, ref, (work) => take(work, ref, parts.clock.now()));
  if (taken !== 'mine') return taken ?? { outcome: 'moved_on', released: 0 };
  let released = 0;
  let from: Date | undefined;
  while (parts.clock.now().getTime() - began < ringMs && !parts.stopping.aborted) {
    const done = await inRing(parts, ref, async (work) => {
      const counts = await releaseDue(work, ref.clock_id, { most: part, from });
      await lease(work, ref, parts.clock.now());
      return counts;
    });
    if (done === undefined) return { outcome: 'moved_on', released }; // the organization is gone or suspended
    released += done.released;
    const isAll = done.due < part && from === undefined;
    if (isAll && (await inRing(parts, ref, (work) => rest(work, ref))) !== false) {
      return { outcome: 'done', released };
    }
    // After the last part it starts over: for people it skipped, and for waits that a reschedule moved earlier.
    from = done.due < part ? undefined : done.reached;
    if (isAll && done.released === 0) await pause(pauseMs); // other transactions hold everyone who is due
  }
  return { outcome: 'more', released };
}

/** Runs one transaction of a ringing clock. */
const inRing = <T>(
  { database, clock, keys, mail }: RingParts,
  { org_id, clock_id }: Ring,
  handle: (work: Work) => Promise<T>,
): Promise<T | undefined> =>
  asService(
    database,
    { keys, mail },
    { org: org_id, now: clock.now(), actor: 'wait_clock', requestId: clock_id, rests: true },
    handle,
  );

/**
 * Begins to release, unless it is too early or another holder is releasing. That holder looks again before it ends; if
 * it has died, this rings again once its lease has run out.
 */
async function take(work: Work, ref: Ring, real: Date): Promise<'mine' | RingOutcome> {
  if (await lease(work, ref, real)) return 'mine';
  const found = await work.db
    .selectFrom('wait_clocks')
    .select(['next_at', 'busy_until'])
    .where('org_id', '=', work.org)
    .where('id', '=', ref.clock_id)
    .where('next_at', '<', sql<Date>`'infinity'`)
    .executeTakeFirst();
  if (found === undefined) return { outcome: 'moved_on', released: 0 };
  const waitMs = found.next_at.getTime() - work.now.getTime();
  if (waitMs <= 0) {
    return { outcome: 'early', waitMs: Math.max(0, (found.busy_until?.getTime() ?? 0) - real.getTime()) + 1 };
  }
  // The transaction that set another time has told the engine.
  if (found.next_at.getTime() !== ref.at.getTime()) return { outcome: 'moved_on', released: 0 };
  return { outcome: 'early', waitMs };
}

/** Uses the service's time: an organization's clock may leap past the end of a lease. */
async function lease({ db, org, now }: Work, { clock_id, holder }: Ring, real: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update wait_clocks set busy_by = ${holder}, busy_until = ${real}::timestamptz + make_interval(secs => ${leaseSeconds})
    where org_id = ${org} and id = ${clock_id} and next_at <= ${now}
      and (busy_by is null or busy_until < ${real} or busy_by = ${holder})`.execute(db);
  return numAffectedRows === 1n;
}

/** Sets the clock to what comes next, unless something is due: a wait may have been added just now. */
async function rest(work: Work, { clock_id, holder }: Ring): Promise<boolean> {
  const { db, org, now } = work;
  await holdClock(work, clock_id);
  const { rows } = await sql<{ due: boolean | null }>`
    select ${earliest(work, clock_id)} <= ${now} as due`.execute(db);
  if (rows[0]?.due === true) return false;
  await db
    .updateTable('wait_clocks')
    .set({ busy_by: null, busy_until: null })
    .where('org_id', '=', org)
    .where('id', '=', clock_id)
    .where('busy_by', '=', holder)
    .execute();
  await setClock(work, clock_id);
  return true;
}
