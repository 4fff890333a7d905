import { TryAgain } from '../../database/org-transaction.ts';
import type { Work } from '../../database/work.ts';
import type { PersonId } from '../../kernel/ids.ts';
import { mustHaveRoom } from '../identifiers/room-for.ts';
import { attachIdentifiers, createPerson } from './create-person.ts';
import { mergePeople } from './merge-people.ts';
import type { SentIdentifier, SentNames } from './sent-person.ts';

export interface Holder extends SentIdentifier {
  readonly person_id: PersonId;
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/**
 * The identify pipeline: find who holds the identifiers, in the order sent; create nobody's; merge several into the
 * first found; attach what is missing.
 *
 * Many of these run at once over the same people. Everyone locks people in id order and looks again once they are
 * held; whoever finds the ground moved starts over, and so does whoever loses a race for a new identifier. A call that
 * changes nothing takes no lock at all.
 */
export async function resolvePerson(
  work: Work,
  sent: readonly SentIdentifier[],
  names: SentNames,
): Promise<{ person_id: PersonId; created: boolean }> {
  const holders = await findHolders(work, sent);
  // In lookup order: the first survives, and of what the others bring the earlier one's stands.
  const found = sent.flatMap((one) => holders.get(keyOf(one)) ?? []);
  const [first] = found;
  if (first === undefined) return { person_id: await createPerson(work, sent, names), created: true };

  const survivor = first.person_id;
  const people = [...new Set(found.map((holder) => holder.person_id))];
  const missing = sent.filter((one) => !holders.has(keyOf(one)));
  if (people.length === 1 && missing.length === 0 && namesToWrite(work, first, names) === undefined) {
    return { person_id: survivor, created: false };
  }

  await lockPeople(work, people);
  const held = await findHolders(work, sent);
  if (!sameHolders(holders, held)) throw new TryAgain();
  const losers = people.slice(1);
  await mergePeople(work, survivor, losers);
  await mustHaveRoom(work, survivor, missing.length);
  await attachIdentifiers(work, survivor, missing);
  // Names as they are now: another call may have filled one before the person was held, the merge may have just now.
  const stored = losers.length === 0 ? held.get(keyOf(first))! : await readNames(work, survivor);
  const renamed = namesToWrite(work, stored, names);
  if (renamed !== undefined) await rename(work, survivor, renamed);
  work.touched['person_id'] = survivor;
  return { person_id: survivor, created: false };
}

export const keyOf = ({ type, value }: SentIdentifier): string => `${type} ${value}`;

export async function findHolders(work: Work, sent: readonly SentIdentifier[]): Promise<Map<string, Holder>> {
  const rows = await work.db
    .selectFrom('identifiers as i')
    .innerJoin('people as p', (join) =>
      join.onRef('p.org_id', '=', 'i.org_id').onRef('p.id', '=', 'i.person_id'),
    )
    .select(['i.type', 'i.value', 'i.person_id', 'p.first_name', 'p.last_name'])
    .where('i.org_id', '=', work.org)
    .where((eb) =>
      eb.or(sent.map((one) => eb.and([eb('i.type', '=', one.type), eb('i.value', '=', one.value)]))),
    )
    .execute();
  return new Map((rows as Holder[]).map((row) => [keyOf(row), row]));
}

export const sameHolders = (before: Map<string, Holder>, after: Map<string, Holder>): boolean =>
  before.size === after.size &&
  [...before].every(([key, { person_id }]) => after.get(key)?.person_id === person_id);

export async function lockPeople(work: Work, people: readonly PersonId[]): Promise<void> {
  const locked = await work.db
    .selectFrom('people')
    .select('id')
    .where('org_id', '=', work.org)
    .where('id', 'in', people)
    .orderBy('id')
    .forUpdate()
    .execute();
  if (locked.length !== people.length) throw new TryAgain();
}

/** An absent name is filled; one that is there is replaced only by a caller with that power. */
export function namesToWrite(work: Work, stored: SentNames, sent: SentNames): Partial<SentNames> | undefined {
  const mayReplace = work.caller.powers.has('replace_names');
  const write: { first_name?: string; last_name?: string } = {};
  for (const field of ['first_name', 'last_name'] as const) {
    const name = sent[field];
    if (name !== null && name !== stored[field] && (stored[field] === null || mayReplace))
      write[field] = name;
  }
  return Object.keys(write).length > 0 ? write : undefined;
}

const readNames = (work: Work, person: PersonId): Promise<SentNames> =>
  work.db
    .selectFrom('people')
    .select(['first_name', 'last_name'])
    .where('org_id', '=', work.org)
    .where('id', '=', person)
    .executeTakeFirstOrThrow();

export async function rename(work: Work, person: PersonId, names: Partial<SentNames>): Promise<void> {
  await work.db
    .updateTable('people')
    .set({ ...names, updated_at: work.now })
    .where('org_id', '=', work.org)
    .where('id', '=', person)
    .execute();
}
