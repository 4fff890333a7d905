import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';

export interface Delivered {
  readonly delivery: number;
  readonly at?: Date;
}

/** Records that a message reached its mailbox, as the receiving side reports. Returns whether that was new. */
export async function noteDelivered(
  { db, org, now }: Work,
  { delivery, at = now }: Delivered,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update deliveries set delivered_at = ${at}
    where org_id = ${org} and id = ${delivery} and delivered_at is null`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}
