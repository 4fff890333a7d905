import { mustHoldPeople } from '../../../database/hold-people.ts';
import { TryAgain } from '../../../database/org-transaction.ts';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import type { IdentifierType } from '../../identifiers/identifier.ts';
import { roomFor } from '../../identifiers/room-for.ts';
import { attachIdentifiers, createPerson } from './create-person.ts';
import {
  findHolders,
  keyOf,
  fieldsToWrite,
  sameHolders,
  writeFields,
  type Holder,
} from './resolve-person.ts';
import type { SentFields, SentIdentifier } from './sent-person.ts';

/** The identifiers that forms and programs send, in lookup order. */
export const formLookupOrder = [
  ['user_id', 'org_assigned_user_id'],
  ['email', 'email'],
  ['phone', 'phone'],
  ['anonymous_id', 'anonymous_id'],
] as const satisfies readonly (readonly [string, IdentifierType])[];

export type FormIdentifiers = Readonly<
  Partial<Record<(typeof formLookupOrder)[number][0], string | null | undefined>>
>;

/** What was sent, in lookup order. A form sends a field that was left empty as a blank. */
export function identifiersOf(form: FormIdentifiers): SentIdentifier[] {
  return formLookupOrder.flatMap(([field, type]) => {
    const value = form[field] ?? '';
    return value === '' ? [] : [{ type, value }];
  });
}

export interface PersonLookup {
  readonly holders: Map<string, Holder>;
  /** The holder of the first identifier that has one. */
  readonly person: Holder | undefined;
  /** Identifiers without a holder. */
  readonly missing: readonly SentIdentifier[];
  /** Identifiers of other people, who keep them: what a form sends never merges people. */
  readonly elsewhere: readonly Holder[];
}

/** Finds the person meant. Writes and locks nothing. */
export async function lookUp(work: Work, sent: readonly SentIdentifier[]): Promise<PersonLookup> {
  const holders = await findHolders(work, sent);
  const found = sent.flatMap((one) => holders.get(keyOf(one)) ?? []);
  const [person] = found;
  return {
    holders,
    person,
    missing: sent.filter((one) => !holders.has(keyOf(one))),
    elsewhere: found.filter(({ person_id }) => person_id !== person?.person_id),
  };
}

/**
 * Returns the person who was looked up, or a new one, with what was sent. Locks them until the transaction ends:
 * lightly if nothing of theirs is written; `writesMore` says that the caller will write. Rows that refer to them must
 * follow, or two calls that add the same row would wait for each other. If the holders changed since the lookup, all
 * starts over.
 */
export async function findOrCreate(
  work: Work,
  sent: readonly SentIdentifier[],
  looked: PersonLookup,
  { fields, writesMore }: { readonly fields: SentFields; readonly writesMore: boolean },
): Promise<PersonId> {
  const { person, missing } = looked;
  if (person === undefined) return createPerson(work, sent, fields);
  const { person_id } = person;
  const writes = writesMore || missing.length > 0 || fieldsToWrite(work, person, fields) !== undefined;
  if (!writes) {
    await mustHoldPeople(work, [person_id], 'staying');
    return person_id;
  }
  await mustHoldPeople(work, [person_id], 'alone');
  const held = await findHolders(work, sent);
  if (!sameHolders(looked.holders, held)) throw new TryAgain();
  // An identifier without room must not cost the registrant or the event.
  const room = missing.length === 0 ? 0 : (await roomFor(work, [person_id]))(person_id);
  await attachIdentifiers(work, person_id, missing.slice(0, room));
  const changed = fieldsToWrite(work, held.get(keyOf(person))!, fields);
  if (changed !== undefined) await writeFields(work, person_id, changed);
  return person_id;
}
