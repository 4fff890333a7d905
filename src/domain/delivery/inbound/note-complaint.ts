import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import { writeEvents } from '../../timeline/write-events.ts';
import { mailAddress } from '../../people/opt-outs/mail-address.ts';
import { holdDelivery } from '../ledger/hold-delivery.ts';
import { withEntry } from '../ledger/note-history.ts';
import { readSentBy } from '../ledger/sent-by.ts';
import { blacklistAddress } from '../ledger/suppress-address.ts';

export interface Complaint {
  readonly delivery: number;
  readonly at?: Date;
}

/** Records a spam complaint and blacklists the address for good. Returns whether it was the first. */
export async function noteComplaint(work: Work, { delivery, at = work.now }: Complaint): Promise<boolean> {
  const held = await holdDelivery(work, delivery);
  if (held === undefined || held.complained_at !== null) return false;
  await sql`
    update deliveries set complained_at = ${at}, history = ${withEntry({ at, what: 'complained' })}
    where org_id = ${work.org} and id = ${held.id}`.execute(work.db);
  const { person } = held;
  if (person === undefined) return true;
  const of = await readSentBy(work, [held.broadcast_id]);
  await writeEvents(work, [
    {
      person_id: person,
      name: '$svc_email_complained',
      custom_properties: of(held.broadcast_id),
      occurred_at: at,
    },
  ]);
  // If the row has no address, the complaint is taken to be about the person's current one.
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
