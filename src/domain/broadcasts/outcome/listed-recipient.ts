import type { z } from 'zod';
import type { Work } from '../../../database/work.ts';
import { NamedPerson, readNamedPeople } from '../../people/record/named-people.ts';
import { Recipient, toRecipient, type RecipientRow } from './recipient.ts';

/** Adds the person, for callers who may read people. */
export const ListedRecipient = Recipient.extend({ person: NamedPerson }).meta({ id: 'ListedRecipient' });

export async function withNames(
  work: Work,
  rows: readonly RecipientRow[],
): Promise<z.input<typeof ListedRecipient>[]> {
  const people = await readNamedPeople(
    work,
    rows.flatMap(({ person_id }) => person_id ?? []),
  );
  return rows.map((row) => ({ ...toRecipient(row), person: people.get(row.person_id ?? '') ?? null }));
}
