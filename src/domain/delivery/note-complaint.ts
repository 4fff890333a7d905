import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import { recordEvents } from '../events/record-events.ts';
import { mailAddress } from '../people/mail-address.ts';
import { holdDelivery } from './hold-delivery.ts';
import { withEntry } from './note-history.ts';
import { readSentBy } from './sent-by.ts';
import { blacklistAddress } from './suppress-address.ts';

export interface Complaint {
  readonly delivery: number;
  readonly at?: Date;
}

/** Somebody called the message spam: the address is blacklisted for good. Answers whether that was news. */
export async function noteComplaint(work: Work, { delivery, at = work.now }: Complaint): Promise<boolean> {
  const held = await holdDelivery(work, delivery);
  if (held === undefined || held.complained_at !== null) return false;
  await sql`
    update deliveries set complained_at = ${at}, history = ${withEntry({ at, what: 'complained' })}
    where org_id = ${work.org} and id = ${held.id}`.execute(work.db);
  const { person } = held;
  if (person === undefined) return true;
  const of = await readSentBy(work, [held.broadcast_id]);
  await recordEvents(work, [
    {
      person_id: person,
      name: '$svc_email_complained',
      custom_properties: of(held.broadcast_id),
      occurred_at: at,
    },
  ]);
  // Where nobody knows which address it went to, the one they are written to at is the one they complained of.
  const address = held.address ?? (await addressOf(work, person));
  if (address !== null) await blacklistAddress(work, person, address, 'complained');
  return true;
}

async function addressOf({ db, org }: Work, person: string): Promise<string | null> {
  const found = await db
    .selectFrom('people')
    .select(mailAddress.as('address'))
    .where('org_id', '=', org)
    .where('id', '=', person)
    .executeTakeFirst();
  return found?.address ?? null;
}
