import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import { addEngagement, engagementWeights } from '../../people/record/engagement.ts';
import { holdDelivery } from '../ledger/hold-delivery.ts';

export interface Reply {
  readonly delivery: number;
  readonly at?: Date;
}

/** Records a reply to a message. Returns whether it was the first: engagement counts one reply a message. */
export async function noteReply(work: Work, { delivery, at = work.now }: Reply): Promise<boolean> {
  const held = await holdDelivery(work, delivery);
  if (held === undefined || held.replied_at !== null) return false;
  if (held.person !== undefined) {
    await sql`
      update people set last_replied_at = greatest(last_replied_at, ${at})
      where org_id = ${work.org} and id = ${held.person}`.execute(work.db);
    await addEngagement(work, [{ person_id: held.person, weight: engagementWeights.reply, at }]);
  }
  await sql`
    update deliveries set replied_at = ${at} where org_id = ${work.org} and id = ${held.id}`.execute(work.db);
  return true;
}
