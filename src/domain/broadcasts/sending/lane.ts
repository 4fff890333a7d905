import { sql } from 'kysely';
import type { Received } from '../../../database/engine-messages.ts';
import type { Work } from '../../../database/work.ts';
import { hasInHand, type QueuePlace } from '../../delivery/ledger/ledger.ts';

/** One of the chains of steps that send a broadcast. */
export type LaneRef = Pick<Received<'BroadcastRun'>, 'org_id' | 'lane'>;

/** How long a step may be silent before its lane is taken over: longer than any hand-over takes. */
export const leaseMs = 60_000;

/**
 * The holder of the lane's ticket runs the step. Passing the ticket on adds one, so that a step repeated after it
 * passed its ticket on recognises that; taking a lane over adds two, so that no step of the old chain can take itself
 * for the new one.
 */
export type Holding = 'mine' | 'passed_on' | 'lost';

/**
 * Locks a lane, before its broadcast, and tells who has its ticket. `all` locks the other lanes too, for the lane that
 * may end the broadcast and close them: one of these may be about to leave and wait for the broadcast.
 */
export async function holdLane(
  work: Work,
  ref: LaneRef,
  ticket: number,
  which: 'this' | 'all' = 'this',
): Promise<Holding> {
  const rows = await work.db
    .selectFrom('delivery_lanes')
    .select(['lane', 'ticket'])
    .where('org_id', '=', work.org)
    .where('broadcast_id', '=', ref.lane.broadcast)
    .$if(which === 'this', (query) => query.where('lane', '=', ref.lane.number))
    .orderBy('lane')
    .forUpdate()
    .execute();
  const row = rows.find(({ lane }) => lane === ref.lane.number);
  if (row?.ticket === ticket) return 'mine';
  return row?.ticket === ticket + 1 ? 'passed_on' : 'lost';
}

/** Takes a lane over that has not reported by its `next_at`. */
export async function takeLane(work: Work, ref: LaneRef): Promise<number | undefined> {
  const row = await work.db
    .updateTable('delivery_lanes')
    .set((eb) => ({ ticket: eb('ticket', '+', 2), next_at: leaseEnd(work), resting: false }))
    .where('org_id', '=', work.org)
    .where('broadcast_id', '=', ref.lane.broadcast)
    .where('lane', '=', ref.lane.number)
    .where('next_at', '<=', work.now)
    .returning('ticket')
    .executeTakeFirst();
  return row?.ticket;
}

/** A place in the queue before everybody. */
export const fromStart: QueuePlace = { from_due: 'epoch', from_id: 0 };

export const leaseEnd = (work: Work): Date => new Date(work.now.getTime() + leaseMs);

export async function setLane(
  work: Work,
  ref: LaneRef,
  next: { ticket?: number; next_at: Date; resting: boolean } & Partial<QueuePlace>,
): Promise<void> {
  await work.db
    .updateTable('delivery_lanes')
    .set(next)
    .where('org_id', '=', work.org)
    .where('broadcast_id', '=', ref.lane.broadcast)
    .where('lane', '=', ref.lane.number)
    .execute();
}

/**
 * Puts a mailing's lane to sleep until a person is added. Unlike a broadcast's lane it is kept, with its ticket: in a
 * newly opened lane, a late repetition of an old step could take itself for the current one.
 */
export async function sleepLane({ db, org }: Work, { lane }: LaneRef): Promise<void> {
  await sql`
    update delivery_lanes set next_at = 'infinity', resting = true
    where org_id = ${org} and broadcast_id = ${lane.broadcast} and lane = ${lane.number}`.execute(db);
}

/** Deletes this lane, or every lane of the broadcast, when nothing is left to do. */
export async function closeLanes(work: Work, ref: LaneRef, which: 'this' | 'all'): Promise<void> {
  await work.db
    .deleteFrom('delivery_lanes')
    .where('org_id', '=', work.org)
    .where('broadcast_id', '=', ref.lane.broadcast)
    .$if(which === 'this', (query) => query.where('lane', '=', ref.lane.number))
    .execute();
}

/** Whether this lane, or another one of the broadcast, or any of them is handing messages over. */
export async function isInHand(
  work: Work,
  { lane }: LaneRef,
  whose: 'own' | 'others' | 'all',
): Promise<boolean> {
  const found = await work.db
    .selectFrom('delivery_lanes')
    .select('lane')
    .where('org_id', '=', work.org)
    .where('broadcast_id', '=', lane.broadcast)
    .where(hasInHand)
    .$if(whose !== 'all', (query) => query.where('lane', whose === 'own' ? '=' : '<>', lane.number))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * The lanes that are due after a clock leapt to a moment. The leap does not make a lane late that is handing over: its
 * lease moves along.
 */
export async function leapLanes(
  work: Work,
  leapMs: number,
  to: Date,
): Promise<{ broadcast_id: string; lane: number }[]> {
  const ours = work.db.selectFrom('delivery_lanes').where('org_id', '=', work.org);
  await ours.select('lane').orderBy('broadcast_id').orderBy('lane').forUpdate().execute();
  await sql`
    update delivery_lanes set next_at = next_at + make_interval(secs => ${leapMs / 1000})
    where org_id = ${work.org} and ${hasInHand}`.execute(work.db);
  return ours.select(['broadcast_id', 'lane']).where('next_at', '<=', to).orderBy('next_at').execute();
}
