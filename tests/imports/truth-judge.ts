import { isDeepStrictEqual } from 'node:util';
import { identifiersOf, type StagedRow } from '../../src/domain/imports/record/staged-row.ts';
import type { SeenPerson, Snapshot } from './truth-snapshot.ts';

const keysOf = (row: StagedRow): string[] =>
  identifiersOf(row, null).map(({ type, value }) => `${type} ${value}`);

/** Whoever was there before and still is, with what they were and are. */
const staying = (before: Snapshot, after: Snapshot): [string, SeenPerson, SeenPerson][] =>
  [...before.people].flatMap(([id, was]) => {
    const is = after.people.get(id);
    return is === undefined ? [] : [[id, was, is]];
  });

const newlyMerged = (before: Snapshot, after: Snapshot): string[] =>
  [...after.merged.keys()].filter((id) => !before.merged.has(id));

/** What a commit did, told from the database alone. `rows` are those that were not left out. */
export function whatHappened(
  before: Snapshot,
  after: Snapshot,
  rows: readonly StagedRow[],
  keys: readonly string[],
) {
  const merged = newlyMerged(before, after);
  const survivors = new Set(merged.map((id) => after.merged.get(id)));
  const isChanged = (id: string, was: SeenPerson, is: SeenPerson): boolean =>
    survivors.has(id) ||
    was.names !== is.names ||
    was.identifiers.join() !== is.identifiers.join() ||
    !isDeepStrictEqual(was.values, is.values) ||
    was.email !== is.email;
  const meant = new Set(rows.flatMap(keysOf));
  const stayed = staying(before, after);
  const changed = stayed.filter((one) => isChanged(...one));
  const untouched = stayed.filter((one) => !isChanged(...one));
  return {
    people_to_create:
      [...after.people.keys()].filter((id) => !before.people.has(id)).length +
      merged.filter((id) => !before.people.has(id)).length,
    people_to_update: changed.length,
    people_unchanged: untouched.filter(([, , { identifiers }]) => identifiers.some((one) => meant.has(one)))
      .length,
    people_merged_away: merged.length,
    values_changed: keys.map((key) => ({
      key,
      count: stayed.filter(
        ([, was, is]) => was.values[key] !== undefined && was.values[key] !== is.values[key],
      ).length,
    })),
  };
}

/** Watches a commit row by row, to tell why somebody was opted out. */
export class OptOutWatch {
  asked = 0;
  readonly #suppressed = new Set<string>();
  readonly #remembered: ReadonlySet<string>;

  /** `remembered`: type and value of each address that opts out whoever brings it. */
  constructor(remembered: ReadonlySet<string>) {
    this.#remembered = remembered;
  }

  get suppressed(): number {
    return this.#suppressed.size;
  }

  sawRow(before: Snapshot, after: Snapshot, row: StagedRow): void {
    const held = new Set([...before.people.values()].flatMap(({ identifiers }) => identifiers));
    const losers = newlyMerged(before, after);
    for (const [id, is] of after.people) {
      const was = before.people.get(id);
      const takenIn = losers
        .filter((loser) => after.merged.get(loser) === id)
        .flatMap((loser) => before.people.get(loser) ?? []);
      const brought = is.identifiers.filter((one) => !held.has(one) && this.#remembered.has(one));
      if (is.email && was?.email !== true && !takenIn.some(({ email }) => email)) {
        if (brought.some((one) => one.startsWith('email '))) this.#suppressed.add(id);
        else if (row.optsOut) this.asked++;
        else throw new Error(`row ${row.row} opted somebody out for no reason`);
      }
      if (is.sms && was?.sms !== true && !takenIn.some(({ sms }) => sms)) {
        if (!brought.some((one) => one.startsWith('phone '))) throw new Error(`row ${row.row} stopped texts`);
        this.#suppressed.add(id);
      }
      if (was !== undefined && ((was.email && !is.email) || (was.sms && !is.sms)))
        throw new Error(`row ${row.row} opted somebody back in`);
    }
  }
}
