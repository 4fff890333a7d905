import { sql, type RawBuilder } from 'kysely';
import { TryAgain } from '../../../database/org-transaction.ts';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import { shareClock } from '../../waits/clock.ts';
import { holdHolders } from './suppress-address.ts';

/** A recipient's row, held together with the person behind it. */
export interface HeldDelivery {
  readonly id: number;
  readonly broadcast_id: string;
  /** Undefined when the person was deleted: only the row can still be updated. */
  readonly person: PersonId | undefined;
  /** The address it was sent to; null until the send is recorded. */
  readonly address: string | null;
  readonly bounce_class: string | null;
  readonly complained_at: Date | null;
  readonly replied_at: Date | null;
}

type Row = Omit<HeldDelivery, 'person'> & { readonly person_id: PersonId | null };

/**
 * Locks the rows that a notice about a message may change: people first, in the order of ids, then the delivery row, as
 * every caller does. Only the row names its person, so it is read before the lock and again under it.
 */
export async function holdDelivery(work: Work, id: number): Promise<HeldDelivery | undefined> {
  const before = await read(work, id, sql``);
  if (before === undefined) return undefined;
  const held = await holdHolders(work, before.person_id, before.address);
  await shareClock(work, work.org); // before the ledger: a workflow that listens for the notice takes it later
  const row = await read(work, id, sql`for update`);
  if (row?.person_id !== before.person_id || row.address !== before.address) throw new TryAgain();
  const { person_id, ...rest } = row;
  return { ...rest, person: person_id !== null && held.includes(person_id) ? person_id : undefined };
}

async function read({ db, org }: Work, id: number, lock: RawBuilder<unknown>): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select id, broadcast_id, person_id, address, bounce_class, complained_at, replied_at
    from deliveries where org_id = ${org} and id = ${id} ${lock}`.execute(db);
  return rows[0];
}
