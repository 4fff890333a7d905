import { sql, type RawBuilder } from 'kysely';
import { TryAgain } from '../../database/org-transaction.ts';
import type { Work } from '../../database/work.ts';
import type { PersonId } from '../../kernel/ids.ts';
import { holdHolders } from './suppress-address.ts';

/** A recipient's row, held together with the person behind it. */
export interface HeldDelivery {
  readonly id: number;
  readonly broadcast_id: string;
  /** Nobody, when the person was deleted: then only the row is left to write to. */
  readonly person: PersonId | undefined;
  /** Where it was sent to; unknown until it is written down that it was. */
  readonly address: string | null;
  readonly bounce_class: string | null;
  readonly complained_at: Date | null;
  readonly replied_at: Date | null;
}

type Row = Omit<HeldDelivery, 'person'> & { readonly person_id: PersonId | null };

/**
 * Holds what a notice about a message may change: people first and by id, then the row, as everybody does. Who is
 * behind a row is known only from the row, so it is read before and once more when it is held.
 */
export async function holdDelivery(work: Work, id: number): Promise<HeldDelivery | undefined> {
  const before = await read(work, id, sql``);
  if (before === undefined) return undefined;
  const held = await holdHolders(work, before.person_id, before.address);
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
