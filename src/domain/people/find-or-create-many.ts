import type { Work } from '../../database/work.ts';
import { newId, type PersonId } from '../../kernel/ids.ts';
import { giveIdentifiers } from './give-identifiers.ts';
import { holdersOf, holdPeople } from './holders-of.ts';
import type { Gaining } from './insert-people.ts';
import { keyOf } from './resolve-person.ts';
import type { SentIdentifier } from './sent-person.ts';

/**
 * Who each of these is, as findOrCreate would find out one after another: what one brings, the next already finds. One
 * question for all of them; only those who are made or gain something take more. `others` are people whom the caller
 * relies on as well, so that everybody is held in one order.
 */
export async function findOrCreateMany(
  work: Work,
  all: readonly (readonly SentIdentifier[])[],
  others: readonly PersonId[],
): Promise<PersonId[]> {
  const holders = await findAll(work, all.flat());
  const meant = all.map((sent) => {
    const found = sent.map((one) => holders.get(keyOf(one))).find((holder) => holder !== undefined);
    const somebody = found ?? { id: newId<PersonId>(work.now), isNew: true, gains: [] };
    for (const one of sent) {
      if (holders.has(keyOf(one))) continue;
      holders.set(keyOf(one), somebody);
      somebody.gains.push(one);
    }
    return somebody;
  });
  const gaining = [...new Set(meant)].filter(({ gains }) => gains.length > 0);
  if (gaining.length > 0) {
    const known = [...new Set([...meant.flatMap(({ id, isNew }) => (isNew ? [] : id)), ...others])];
    await holdPeople(work, known, gaining.some(({ isNew }) => !isNew) ? 'update' : 'key share');
    await giveIdentifiers(work, gaining);
  }
  return meant.map(({ id }) => id);
}

async function findAll(work: Work, sent: readonly SentIdentifier[]): Promise<Map<string, Gaining>> {
  const held = await holdersOf(work, sent);
  const people = new Map<PersonId, Gaining>(
    held.map(({ person_id }) => [person_id, { id: person_id, isNew: false, gains: [] }]),
  );
  return new Map(held.map((one) => [keyOf(one), people.get(one.person_id)!]));
}
