import type { PersonId } from '../../kernel/ids.ts';
import { keyOf } from './resolve-person.ts';
import type { SentIdentifier } from './sent-person.ts';

/**
 * Who holds what, as it becomes while one call after another to identify somebody is gone through: what one attaches
 * the next already finds, and whoever was merged is found as the survivor.
 */
export class Identities {
  readonly #holders = new Map<string, PersonId>();
  readonly #wentTo = new Map<PersonId, PersonId>();

  /** What is stored, or was just attached. Whoever holds it may have been merged since. */
  hold(person: PersonId, identifiers: readonly SentIdentifier[]): void {
    for (const one of identifiers) this.#holders.set(keyOf(one), person);
  }

  /** The people meant, in the order they were sent by: the first survives. And what nobody holds yet. */
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

  /** Whoever passes shortens the way: with one address in every row of a file, all rows would walk past all others. */
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
