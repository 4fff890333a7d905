import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import { tellLane } from './start-run.ts';

// Due to whoever is told, should their clock be a little behind ours: else the lane waits for the sweep.
const behindMs = 1_000;

/**
 * Holds the first lanes of a mailing until the transaction ends, and sees to it that somebody looks at its rows once
 * that is committed. A lane at work looks again before it leaves and is left alone: were it taken over, what it has in
 * hand would be uncertain. One that rests, or was never opened, is made due and the engine told.
 */
export async function wakeLanes(work: Work, broadcast_id: string, count: 1 | 2): Promise<void> {
  const { db, org, now } = work;
  const held = await db
    .selectFrom('delivery_lanes')
    .select(['lane', 'resting'])
    .where('org_id', '=', org)
    .where('broadcast_id', '=', broadcast_id)
    .where('lane', '<', count)
    .orderBy('lane')
    .forUpdate()
    .execute();
  const awake = new Set(held.filter(({ resting }) => !resting).map(({ lane }) => lane));
  for (let lane = 0; lane < count; lane++) {
    if (awake.has(lane)) continue;
    const due = new Date(now.getTime() - behindMs);
    // Somebody else may open it at this moment: then it is theirs, unless it rests again already.
    await sql`
      insert into delivery_lanes as l (org_id, broadcast_id, lane, next_at)
      values (${org}, ${broadcast_id}, ${lane}, ${due})
      on conflict (org_id, broadcast_id, lane) do update set
        next_at = case when l.resting then excluded.next_at else l.next_at end, resting = false`.execute(db);
    await tellLane(work, broadcast_id, lane);
  }
}
