import { mustHoldPeople } from '../../../database/hold-people.ts';
import type { Work } from '../../../database/work.ts';
import { newId, type PersonId } from '../../../kernel/ids.ts';
import { holdBelongings } from '../merge/hold-belongings.ts';
import { holdersOf, assertHolders, type HeldIdentifier } from './holders-of.ts';
import { Identities } from './identities.ts';
import { Wave } from './identify-wave.ts';
import { saysAnything, type PersonSent, type SentIdentifier } from './sent-person.ts';

export type { PersonSent };

export interface IdentifiedMany {
  /**
   * One for each person taken up: `merges` where their identifiers belong to several people and merging is not allowed.
   * After many merges the rest is left for another call.
   */
  readonly outcomes: readonly ('done' | 'merges')[];
  readonly created: number;
  /** People folded into another. */
  readonly merged: number;
  /** People who were not opted out of email before. */
  readonly optedOut: number;
}

// A merge takes about 12 ms, and everyone in the call is held meanwhile.
export const mostMerged = 50;

/**
 * The bulk form of identify_person: has the same effect as one call after another, in this order. First locks everyone
 * found, in one order. If another call meanwhile attaches a value that is attached here, all starts over.
 */
export async function identifyMany(
  work: Work,
  sent: readonly PersonSent[],
  mayMerge: (at: number) => boolean,
): Promise<IdentifiedMany> {
  const held = await holdAll(work, sent);
  // Locks for all merges at once: one by one, the totals of the first would be locked before the rows of the next.
  const merging = foreseeMerged(identitiesOf(held), sent, mayMerge);
  if (merging.length > 0) await holdBelongings(work, merging);
  const identities = identitiesOf(held);
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
    if (hasContent(one, missing)) wave.tell(person, first === undefined, missing, one);
  }
  optedOut += await wave.write(work);
  return { outcomes, created, merged, optedOut };
}

/** Locks everyone named until the transaction ends, and returns their identifiers. */
async function holdAll(work: Work, sent: readonly PersonSent[]): Promise<HeldIdentifier[]> {
  const held = await holdersOf(
    work,
    sent.flatMap(({ identifiers }) => identifiers),
  );
  const people = [...new Set(held.map(({ person_id }) => person_id))];
  await mustHoldPeople(work, people, 'alone');
  await assertHolders(work, held);
  return held;
}

function identitiesOf(held: readonly HeldIdentifier[]): Identities {
  const identities = new Identities();
  for (const one of held) identities.hold(one.person_id, [one]);
  return identities;
}

/** Everyone who will take part in a merge, including the survivors. */
function foreseeMerged(
  identities: Identities,
  sent: readonly PersonSent[],
  mayMerge: (at: number) => boolean,
): PersonId[] {
  const merging = new Set<PersonId>();
  let merged = 0;
  for (const [at, { identifiers }] of sent.entries()) {
    if (merged >= mostMerged) break;
    const { people, missing } = identities.look(identifiers);
    const [first = nobodyYet(at), ...losers] = people;
    if (losers.length > 0 && !mayMerge(at)) continue;
    if (losers.length > 0) for (const person of people) merging.add(person);
    identities.merge(first, losers);
    merged += losers.length;
    identities.hold(first, missing);
  }
  return [...merging].filter((person) => !person.startsWith(nobody));
}

/** Marks a person yet to be created, who has no row to lock. */
const nobody = 'new ';
const nobodyYet = (at: number) => `${nobody}${at}` as PersonId;

const hasContent = ({ fields, values, optsOut }: PersonSent, missing: readonly SentIdentifier[]): boolean =>
  missing.length > 0 || optsOut || saysAnything(fields) || Object.keys(values).length > 0;
