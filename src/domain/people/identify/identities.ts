import type { PersonId } from '../../../kernel/ids.ts';
import { keyOf } from './resolve-person.ts';
import type { SentIdentifier } from './sent-person.ts';

/**
 * Tracks who holds what over a sequence of identify calls: each finds what earlier ones attached, and finds a merged
 * person as the survivor.
 */
export class Identities {
  readonly #holders = new Map<string, PersonId>();
  readonly #wentTo = new Map<PersonId, PersonId>();

  /** Records what is stored, or was just attached. The holder may have been merged since. */
  hold(person: PersonId, identifiers: readonly SentIdentifier[]): void {
    for (const one of identifiers) this.#holders.set(keyOf(one), person);
  }

  /** The people meant, in the order sent: the first survives. Also the identifiers without a holder. */
  look(sent: readonly SentIdentifier[]): { people: PersonId[]; missing: SentIdentifier[] } {
    const people = new Set<PersonId>();
    const missing: SentIdentifier[] = [];
    for (const one of sent) {
      const holder = this.#holders.get(keyOf(one));
      if (holder === undefined) missing.push(one);
      else people.add(this.#now(holder));
    }
    return { people: [...people], missing };
  }

  merge(survivor: PersonId, losers: readonly PersonId[]): void {
    for (const loser of losers) this.#wentTo.set(loser, survivor);
  }

  /** Shortens the path it walks: with one address in every row of a file, all rows would walk past all others. */
  #now(person: PersonId): PersonId {
    let now = person;
    for (let next = this.#wentTo.get(now); next !== undefined; next = this.#wentTo.get(now)) now = next;
    for (let passed = person; passed !== now;) {
      const next = this.#wentTo.get(passed)!;
      this.#wentTo.set(passed, now);
      passed = next;
    }
    return now;
  }
}
