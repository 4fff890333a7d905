import { mustHoldPeople } from '../../../database/hold-people.ts';
import { TryAgain } from '../../../database/org-transaction.ts';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import { mustHaveRoom } from '../../identifiers/room-for.ts';
import { writtenFields } from '../../person-fields/fields.ts';
import { attachIdentifiers, createPerson } from './create-person.ts';
import { mergePeople } from '../merge/merge-people.ts';
import type { SentFields, SentIdentifier } from './sent-person.ts';

export interface Holder extends SentIdentifier, SentFields {
  readonly person_id: PersonId;
}

/**
 * The identify pipeline: find the holders of the identifiers, in the order sent; create a person if there are none;
 * merge several into the first found; attach what is missing.
 *
 * Many of these run at once over the same people. Each locks people in id order and looks again once they are locked;
 * it starts over if the holders changed, or if it loses a race for a new identifier. A call that changes nothing takes
 * no lock at all.
 */
export async function resolvePerson(
  work: Work,
  sent: readonly SentIdentifier[],
  fields: SentFields,
): Promise<{ person_id: PersonId; created: boolean }> {
  const holders = await findHolders(work, sent);
  // In lookup order: the first survives, and among the others the earlier one's data stands.
  const found = sent.flatMap((one) => holders.get(keyOf(one)) ?? []);
  const [first] = found;
  if (first === undefined) return { person_id: await createPerson(work, sent, fields), created: true };

  const survivor = first.person_id;
  const people = [...new Set(found.map((holder) => holder.person_id))];
  const missing = sent.filter((one) => !holders.has(keyOf(one)));
  if (people.length === 1 && missing.length === 0 && fieldsToWrite(work, first, fields) === undefined) {
    return { person_id: survivor, created: false };
  }

  await mustHoldPeople(work, people, 'alone');
  const held = await findHolders(work, sent);
  if (!sameHolders(holders, held)) throw new TryAgain();
  const losers = people.slice(1);
  await mergePeople(work, survivor, losers);
  await mustHaveRoom(work, survivor, missing.length);
  await attachIdentifiers(work, survivor, missing);
  // Reads the current fields: another call may have filled one before the lock, or the merge just now.
  const stored = losers.length === 0 ? held.get(keyOf(first))! : await readFields(work, survivor);
  const changed = fieldsToWrite(work, stored, fields);
  if (changed !== undefined) await writeFields(work, survivor, changed);
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
    .select(['i.type', 'i.value', 'i.person_id', ...writtenFields.map((field) => `p.${field}` as const)])
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

/** Fills an absent field; replaces an existing one only for a caller with that power. */
export function fieldsToWrite(
  work: Work,
  stored: SentFields,
  sent: SentFields,
): Partial<SentFields> | undefined {
  const mayReplace = work.caller.powers.has('replace_names');
  const changed = writtenFields.filter(
    (field) =>
      sent[field] !== null && sent[field] !== stored[field] && (stored[field] === null || mayReplace),
  );
  return changed.length === 0 ? undefined : Object.fromEntries(changed.map((field) => [field, sent[field]]));
}

const readFields = (work: Work, person: PersonId): Promise<SentFields> =>
  work.db
    .selectFrom('people')
    .select(writtenFields)
    .where('org_id', '=', work.org)
    .where('id', '=', person)
    .executeTakeFirstOrThrow();

export async function writeFields(work: Work, person: PersonId, fields: Partial<SentFields>): Promise<void> {
  await work.db
    .updateTable('people')
    .set({ ...fields, updated_at: work.now })
    .where('org_id', '=', work.org)
    .where('id', '=', person)
    .execute();
}
