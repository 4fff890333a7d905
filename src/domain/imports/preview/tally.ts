import type { PersonId } from '../../../kernel/ids.ts';
import type { Remembered } from '../../identifiers/suppressed-address.ts';
import { Identities } from '../../people/identify/identities.ts';
import type { SentIdentifier } from '../../people/identify/sent-person.ts';
import type { MergePolicy } from '../record/import.ts';
import type { KnownPerson } from './known-people.ts';
import { Somebody } from './somebody.ts';
import type { StagedRow } from '../record/staged-row.ts';

const mostShown = 20;

/**
 * Goes through rows as the commit will, without a database: the same Identities decide who is meant, and this counts
 * what becomes of each person.
 */
export class Tally {
  rows = 0;
  created = 0;
  mergedAway = 0;
  optedOut = 0;
  suppressedAgain = 0;
  /** Rows that join people created by earlier rows: no existing person is merged. */
  readonly joiningRows: number[] = [];
  readonly mergingRows: number[] = [];
  /** People created by the file have no id to show. */
  readonly firstMergingRows: { row: number; person_ids: PersonId[] }[] = [];
  readonly #policy: MergePolicy;
  readonly #identities = new Identities();
  readonly #people = new Map<PersonId, Somebody>();

  constructor(policy: MergePolicy) {
    this.#policy = policy;
  }

  knows(person: PersonId): boolean {
    return this.#people.has(person);
  }

  /** Adds a stored person; `holds` adds their identifiers. */
  meet(person: KnownPerson): void {
    this.#people.set(person.id, new Somebody(person));
  }

  holds(person: PersonId, identifier: SentIdentifier): void {
    this.#identities.hold(person, [identifier]);
  }

  take(row: StagedRow, sent: readonly SentIdentifier[], remembered: Remembered): void {
    this.rows++;
    const { people, missing } = this.#identities.look(sent);
    if (people.length > 1 && people.every((id) => !this.#people.get(id)!.isStored)) {
      this.joiningRows.push(row.row);
    } else if (people.length > 1) {
      this.#noteMerging(row.row, people);
      if (this.#policy !== 'allow') return;
    }
    const [meant, ...losers] = people;
    const id = meant ?? this.#create(row);
    const person = this.#people.get(id)!;
    person.matched = true;
    for (const loser of losers) person.absorb(this.#people.get(loser)!);
    this.#identities.merge(id, losers);
    this.mergedAway += losers.length;
    this.#identities.hold(id, missing);
    if (person.attach(missing, remembered)) this.suppressedAgain++;
    person.fill(row);
    if (row.optsOut && person.optOut()) this.optedOut++;
  }

  /** Stored people who were not merged away. */
  *remaining(): Iterable<Somebody> {
    for (const one of this.#people.values()) if (one.isStored && !one.gone) yield one;
  }

  #create(row: StagedRow): PersonId {
    const id = `of row ${row.row}` as PersonId;
    this.#people.set(id, new Somebody());
    this.created++;
    return id;
  }

  #noteMerging(row: number, people: readonly PersonId[]): void {
    this.mergingRows.push(row);
    if (this.firstMergingRows.length === mostShown) return;
    const stored = people.filter((id) => this.#people.get(id)!.isStored);
    this.firstMergingRows.push({ row, person_ids: stored });
  }
}
