import type { Work } from '../../database/work.ts';
import { newId, type PersonId } from '../../kernel/ids.ts';
import { holdersOf, holdPeople, mustStillHold } from './holders-of.ts';
import { Identities } from './identities.ts';
import { Wave } from './identify-wave.ts';
import type { PersonSent, SentIdentifier } from './sent-person.ts';

export type { PersonSent };

export interface IdentifiedMany {
  /**
   * One for each that was taken up: `merges` where its identifiers belong to several people and that is not allowed.
   * After many merges the rest is left for another call.
   */
  readonly outcomes: readonly ('done' | 'merges')[];
  readonly created: number;
  /** People who are gone, folded into another. */
  readonly merged: number;
  /** People who were not opted out of email before. */
  readonly optedOut: number;
}

// A merge takes some twelve milliseconds, and everybody who was sent is held all the while.
export const mostMerged = 50;

/**
 * The bulk form of identify_person: leaves the same people as one call after another, in this order. Everybody found is
 * held in one order first. Should somebody else attach a value meanwhile that is attached here, all starts over.
 */
export async function identifyMany(
  work: Work,
  sent: readonly PersonSent[],
  mayMerge: (at: number) => boolean,
): Promise<IdentifiedMany> {
  const identities = await holdAll(work, sent);
  const outcomes: ('done' | 'merges')[] = [];
  let [created, merged, optedOut] = [0, 0, 0];
  let wave = new Wave();
  for (const [at, one] of sent.entries()) {
    if (merged >= mostMerged) break;
    const { people, missing } = identities.look(one.identifiers);
    const [first, ...losers] = people;
    outcomes.push(losers.length > 0 && !mayMerge(at) ? 'merges' : 'done');
    if (outcomes.at(-1) === 'merges') continue;
    if (first !== undefined && losers.length > 0) {
      if (wave.hasToldOf(people)) {
        optedOut += await wave.write(work);
        wave = new Wave();
      }
      wave.merge(first, losers);
      identities.merge(first, losers);
      merged += losers.length;
    }
    if (first === undefined) created++;
    const person = first ?? newId<PersonId>(work.now);
    identities.hold(person, missing);
    if (tellsAnything(one, missing)) wave.tell(person, first === undefined, missing, one);
  }
  optedOut += await wave.write(work);
  return { outcomes, created, merged, optedOut };
}

/** Whoever is named, held until the transaction ends, and what they are called by. */
async function holdAll(work: Work, sent: readonly PersonSent[]): Promise<Identities> {
  const held = await holdersOf(
    work,
    sent.flatMap(({ identifiers }) => identifiers),
  );
  const people = [...new Set(held.map(({ person_id }) => person_id))];
  await holdPeople(work, people, 'update');
  await mustStillHold(work, held);
  const identities = new Identities();
  for (const one of held) identities.hold(one.person_id, [one]);
  return identities;
}

const tellsAnything = ({ names, values, optsOut }: PersonSent, missing: readonly SentIdentifier[]): boolean =>
  missing.length > 0 ||
  optsOut ||
  (names.first_name ?? names.last_name) !== null ||
  Object.keys(values).length > 0;
