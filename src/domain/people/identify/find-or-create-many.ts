import { mustHoldPeople } from '../../../database/hold-people.ts';
import type { Work } from '../../../database/work.ts';
import { newId, type PersonId } from '../../../kernel/ids.ts';
import { giveIdentifiers } from './give-identifiers.ts';
import { holdersOf } from './holders-of.ts';
import type { IdentifierGain } from './insert-people.ts';
import { keyOf } from './resolve-person.ts';
import type { SentIdentifier } from './sent-person.ts';

/**
 * Who each of these is, as findOrCreate would find out one by one: each finds what earlier ones brought. One query
 * serves all; only people who are created or gain something take more. `others` are people whom the caller relies on as
 * well, so that all are locked in one order.
 */
export async function findOrCreateMany(
  work: Work,
  all: readonly (readonly SentIdentifier[])[],
  others: readonly PersonId[],
): Promise<PersonId[]> {
  const holders = await findAll(work, all.flat());
  const meant = all.map((sent) => {
    const found = sent.map((one) => holders.get(keyOf(one))).find((holder) => holder !== undefined);
    const person = found ?? { id: newId<PersonId>(work.now), isNew: true, gains: [] };
    for (const one of sent) {
      if (holders.has(keyOf(one))) continue;
      holders.set(keyOf(one), person);
      person.gains.push(one);
    }
    return person;
  });
  const gaining = [...new Set(meant)].filter(({ gains }) => gains.length > 0);
  if (gaining.length > 0) {
    const known = [...new Set([...meant.flatMap(({ id, isNew }) => (isNew ? [] : id)), ...others])];
    await mustHoldPeople(work, known, gaining.some(({ isNew }) => !isNew) ? 'alone' : 'staying');
    await giveIdentifiers(work, gaining);
  }
  return meant.map(({ id }) => id);
}

async function findAll(work: Work, sent: readonly SentIdentifier[]): Promise<Map<string, IdentifierGain>> {
  const held = await holdersOf(work, sent);
  const people = new Map<PersonId, IdentifierGain>(
    held.map(({ person_id }) => [person_id, { id: person_id, isNew: false, gains: [] }]),
  );
  return new Map(held.map((one) => [keyOf(one), people.get(one.person_id)!]));
}
