import { TryAgain } from '../../database/org-transaction.ts';
import type { Work } from '../../database/work.ts';
import type { PersonId } from '../../kernel/ids.ts';
import type { IdentifierType } from '../identifiers/identifier.ts';
import { roomFor } from '../identifiers/room-for.ts';
import { attachIdentifiers, createPerson } from './create-person.ts';
import {
  findHolders,
  keyOf,
  lockPeople,
  namesToWrite,
  rename,
  sameHolders,
  type Holder,
} from './resolve-person.ts';
import type { SentIdentifier, SentNames } from './sent-person.ts';

/** What forms and programs call a person by, in the order it is looked up. */
export const formLookupOrder = [
  ['user_id', 'org_assigned_user_id'],
  ['email', 'email'],
  ['phone', 'phone'],
  ['anonymous_id', 'anonymous_id'],
] as const satisfies readonly (readonly [string, IdentifierType])[];

export type FormIdentifiers = Readonly<
  Partial<Record<(typeof formLookupOrder)[number][0], string | null | undefined>>
>;

/** What was sent, in lookup order. A blank is what a form sends for a field that was left empty. */
export function identifiersOf(form: FormIdentifiers): SentIdentifier[] {
  return formLookupOrder.flatMap(([field, type]) => {
    const value = form[field] ?? '';
    return value === '' ? [] : [{ type, value }];
  });
}

export interface Looked {
  readonly holders: Map<string, Holder>;
  /** Whoever holds the first identifier that anybody holds. */
  readonly person: Holder | undefined;
  /** Held by nobody. */
  readonly missing: readonly SentIdentifier[];
  /** Held by others than that person, who keep it: nothing that comes in by a form merges people. */
  readonly elsewhere: readonly Holder[];
}

/** Who is meant. Writes and holds nothing. */
export async function lookUp(work: Work, sent: readonly SentIdentifier[]): Promise<Looked> {
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
 * The person who was looked up, or a new one, with what was sent. They are held until the transaction ends: lightly when
 * nothing of theirs is to be written; `writesMore` says that the caller is going to. Rows that refer to them come after
 * that, or two who add the same one would wait for each other. If the ground moved since the look, all starts over.
 */
export async function findOrCreate(
  work: Work,
  sent: readonly SentIdentifier[],
  looked: Looked,
  { names, writesMore }: { readonly names: SentNames; readonly writesMore: boolean },
): Promise<PersonId> {
  const { person, missing } = looked;
  if (person === undefined) return createPerson(work, sent, names);
  const { person_id } = person;
  const writes = writesMore || missing.length > 0 || namesToWrite(work, person, names) !== undefined;
  if (!writes) {
    await keepPerson(work, person_id);
    return person_id;
  }
  await lockPeople(work, [person_id]);
  const held = await findHolders(work, sent);
  if (!sameHolders(looked.holders, held)) throw new TryAgain();
  // A registrant or an event is not lost for an identifier that has no room.
  const room = missing.length === 0 ? 0 : (await roomFor(work, [person_id]))(person_id);
  await attachIdentifiers(work, person_id, missing.slice(0, room));
  const renamed = namesToWrite(work, held.get(keyOf(person))!, names);
  if (renamed !== undefined) await rename(work, person_id, renamed);
  return person_id;
}

/** Neither deleted nor merged until the transaction ends; others may do the same. */
async function keepPerson({ db, org }: Work, id: PersonId): Promise<void> {
  const held = await db
    .selectFrom('people')
    .select('id')
    .where('org_id', '=', org)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  if (held === undefined) throw new TryAgain();
}
