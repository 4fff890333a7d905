import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import { recordEvents } from '../events/record-events.ts';
import { optOut } from '../people/opt-outs.ts';
import { holdDelivery } from './hold-delivery.ts';

export interface Unsubscribed {
  readonly delivery: number;
  readonly at?: Date;
}

/** Somebody unsubscribed with a provider, by one of our emails. Answers whether that was news. */
export async function noteUnsubscribed(
  work: Work,
  { delivery, at = work.now }: Unsubscribed,
): Promise<boolean> {
  const held = await holdDelivery(work, delivery);
  if (held === undefined || held.unsubscribed_at !== null) return false;
  await sql`
    update deliveries set unsubscribed_at = ${at} where org_id = ${work.org} and id = ${held.id}`.execute(
    work.db,
  );
  if (held.person === undefined) return true;
  await optOut(work, held.person, 'email');
  const custom_properties = { broadcast_id: held.broadcast_id, channel: 'email' };
  await recordEvents(work, [
    { person_id: held.person, name: '$svc_unsubscribed', custom_properties, occurred_at: at },
  ]);
  return true;
}
