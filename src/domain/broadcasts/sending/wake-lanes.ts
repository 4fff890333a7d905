import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import { tellLane } from './start-run.ts';

// The lane is due even for a process whose clock is a little behind; otherwise it would wait for the sweep.
const behindMs = 1_000;

/**
 * Locks the first lanes of a mailing until the transaction ends, and makes sure that a lane reads its rows after the
 * commit. A working lane reads again before it leaves and is left alone: taking it over would make what it has in hand
 * uncertain. A lane that rests, or was never opened, is made due and the engine notified. Whoever is added is due now,
 * so no lane's place in the queue may be after that: the clocks of two processes differ a little.
 */
export async function wakeLanes(work: Work, broadcast_id: string, count: 1 | 2): Promise<void> {
  const { db, org, now } = work;
  const held = await db
    .selectFrom('delivery_lanes')
    .select(['lane', 'resting', 'from_due'])
    .where('org_id', '=', org)
    .where('broadcast_id', '=', broadcast_id)
    .where('lane', '<', count)
    .orderBy('lane')
    .forUpdate()
    .execute();
  if (held.some(({ from_due }) => from_due > now))
    await db
      .updateTable('delivery_lanes')
      .set({ from_due: now, from_id: 0 })
      .where('org_id', '=', org)
      .where('broadcast_id', '=', broadcast_id)
      .where('lane', '<', count)
      .execute();
  const awake = new Set(held.filter(({ resting }) => !resting).map(({ lane }) => lane));
  for (let lane = 0; lane < count; lane++) {
    if (awake.has(lane)) continue;
    const due = new Date(now.getTime() - behindMs);
    // Another transaction may open the lane at this moment and then keeps it, unless it rests again already.
    await sql`
      insert into delivery_lanes as l (org_id, broadcast_id, lane, next_at)
      values (${org}, ${broadcast_id}, ${lane}, ${due})
      on conflict (org_id, broadcast_id, lane) do update set
        next_at = case when l.resting then excluded.next_at else l.next_at end, resting = false`.execute(db);
    await tellLane(work, broadcast_id, lane);
  }
}
