import { sql, type RawBuilder } from 'kysely';
import { holdPeople } from '../../database/hold-people.ts';
import { TryAgain } from '../../database/org-transaction.ts';
import type { Work } from '../../database/work.ts';
import { shareClock } from '../waits/clock.ts';

/** A message in the ledger, held together with the person behind it. */
export interface HeldMessage {
  readonly id: number;
  readonly broadcast_id: string;
  /** Undefined when the person was deleted. */
  readonly person_id: string | undefined;
  readonly opened_at: Date | null;
  readonly clicked_at: Date | null;
}

type Row = Omit<HeldMessage, 'person_id'> & { readonly person_id: string | null };

/**
 * Locks many messages and their people: people first, in the order of ids, then the rows, as every caller does. If a
 * merge moves a row to another person before its own is locked, everything starts over. A hand-over in progress is not
 * waited for, because nothing here suppresses a person.
 */
export async function holdMessages(work: Work, ids: readonly number[]): Promise<Map<number, HeldMessage>> {
  const before = await read(work, ids, sql``);
  const wanted = [...new Set(before.flatMap(({ person_id }) => person_id ?? []))];
  const people = new Set<string>(await holdPeople(work, wanted, 'changing'));
  await shareClock(work, work.org); // before the ledger: a workflow that listens for hits takes it later
  const held = await read(work, ids, sql`for update`);
  if (held.some((row, index) => row.person_id !== before[index]?.person_id)) throw new TryAgain();
  return new Map(
    held.map(({ person_id, ...row }) => [
      row.id,
      { ...row, person_id: person_id !== null && people.has(person_id) ? person_id : undefined },
    ]),
  );
}

async function read({ db, org }: Work, ids: readonly number[], lock: RawBuilder<unknown>): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select id, broadcast_id, person_id, opened_at, clicked_at from deliveries
    where org_id = ${org} and id = any(${ids}::bigint[]) order by id ${lock}`.execute(db);
  return rows;
}
