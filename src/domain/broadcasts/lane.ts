import { sql, type SqlBool } from 'kysely';
import { z } from 'zod';
import type { Work } from '../../database/work.ts';
import { OrgId, type BroadcastId } from '../../kernel/ids.ts';

/** One of the chains of steps that send a broadcast. */
export const LaneRef = z.object({
  org_id: OrgId,
  lane: z
    .string()
    .regex(/^[0-9a-f-]{36}\/\d{1,3}$/)
    .transform((text) => {
      const [broadcast, number] = text.split('/') as [BroadcastId, string];
      return { broadcast, number: Number(number) };
    }),
});
export type LaneRef = z.output<typeof LaneRef>;

/** How long nothing need be heard of a step before the lane is looked after: longer than any hand-over takes. */
const leaseMs = 60_000;

/**
 * A step is done by whoever has the lane's ticket. It is passed on by counting one up, so that a step which was
 * repeated after it had passed its ticket on recognises that; whoever takes a lane over counts two up, so that nothing
 * of the old chain can take itself for the new one.
 */
export type Holding = 'mine' | 'passed_on' | 'lost';

export async function holdLane(work: Work, ref: LaneRef, ticket: number): Promise<Holding> {
  const row = await work.db
    .selectFrom('delivery_lanes')
    .select('ticket')
    .where('org_id', '=', work.org)
    .where('broadcast_id', '=', ref.lane.broadcast)
    .where('lane', '=', ref.lane.number)
    .forUpdate()
    .executeTakeFirst();
  if (row?.ticket === ticket) return 'mine';
  return row?.ticket === ticket + 1 ? 'passed_on' : 'lost';
}

/** Takes a lane over when nothing was heard of it by the time it should have been. */
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

export const leaseEnd = (work: Work): Date => new Date(work.now.getTime() + leaseMs);

export async function setLane(
  work: Work,
  ref: LaneRef,
  next: { ticket?: number; next_at: Date; resting: boolean },
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
 * A mailing's lane has nothing left to do, until somebody is added. Unlike that of a broadcast it stays, and so does
 * its ticket: in a lane opened anew a step of long ago, repeated late, could take itself for the one at work.
 */
export async function sleepLane({ db, org }: Work, { lane }: LaneRef): Promise<void> {
  await sql`
    update delivery_lanes set next_at = 'infinity', resting = true
    where org_id = ${org} and broadcast_id = ${lane.broadcast} and lane = ${lane.number}`.execute(db);
}

/** This lane, or every lane of the broadcast, has nothing left to do. */
export async function closeLanes(work: Work, ref: LaneRef, which: 'this' | 'all'): Promise<void> {
  await work.db
    .deleteFrom('delivery_lanes')
    .where('org_id', '=', work.org)
    .where('broadcast_id', '=', ref.lane.broadcast)
    .$if(which === 'this', (query) => query.where('lane', '=', ref.lane.number))
    .execute();
}

/** Whether a step is handing messages over: it looks at the rows again when it is done, and need not be woken. */
export const hasInHand = sql<SqlBool>`exists (
  select 1 from deliveries d where d.org_id = delivery_lanes.org_id and d.broadcast_id = delivery_lanes.broadcast_id
    and d.state = 'sending' and d.lane = delivery_lanes.lane)`;

/**
 * Lanes that have something to look at now that a clock leapt to a moment. One that is handing over is not late because
 * of the leap: it has as much time as it had.
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
