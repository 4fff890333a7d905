/** What a row says, its identifiers in the order they are looked up. */
export interface Said {
  readonly called: readonly (readonly [type: string, value: string | null])[];
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly values: Readonly<Record<string, string | number | boolean | null>>;
  readonly optsOut: boolean;
  /** Otherwise the database refuses it. */
  readonly canBeWritten: boolean;
}

export interface ModelPerson {
  /** Only of those who were there before. */
  readonly id: string | null;
  first_name: string | null;
  last_name: string | null;
  /** Whether each, `type value`, is the first of its type. */
  readonly identifiers: Map<string, boolean>;
  readonly values: Map<string, string | number | boolean>;
  isOut: boolean;
}

export interface ModelCounts {
  succeeded: number;
  created: number;
  merged: number;
  optedOut: number;
  readonly failed: number[];
  readonly skipped: number[];
}

const keyOf = (type: string, value: string): string => `${type} ${value}`;
const typeOf = (key: string): string => key.slice(0, key.indexOf(' '));

/** The people of an organization, and what becomes of them when a file is gone through row by row. Written apart. */
export class ImportModel {
  readonly people: Set<ModelPerson>;
  readonly #holders = new Map<string, ModelPerson>();
  /** Addresses of people who are gone and had opted out. */
  readonly #remembered: ReadonlySet<string>;

  constructor(people: Iterable<ModelPerson>, remembered: ReadonlySet<string>) {
    this.people = new Set(people);
    this.#remembered = remembered;
    for (const one of this.people) for (const key of one.identifiers.keys()) this.#holders.set(key, one);
  }

  /** The rows that were accepted, by their numbers. */
  go(rows: ReadonlyMap<number, Said>, merges: 'allow' | 'skip_rows'): ModelCounts {
    const there = new Set(this.people);
    const counts: ModelCounts = { succeeded: 0, created: 0, merged: 0, optedOut: 0, failed: [], skipped: [] };
    for (const [row, said] of rows) {
      const keys = said.called.flatMap(([type, value]) => (value === null ? [] : keyOf(type, value)));
      const meant = new Set(keys.flatMap((key) => this.#holders.get(key) ?? []));
      // To join people whom the file itself made is no merge.
      const wouldMerge = meant.size > 1 && [...meant].some((one) => there.has(one));
      if (!said.canBeWritten) counts.failed.push(row);
      else if (wouldMerge && merges === 'skip_rows') counts.skipped.push(row);
      else {
        counts.succeeded += 1;
        this.#apply(said, keys, [...meant], counts);
      }
    }
    return counts;
  }

  #apply(said: Said, keys: readonly string[], [found, ...others]: ModelPerson[], counts: ModelCounts): void {
    const person = found ?? this.#add();
    if (found === undefined) counts.created += 1;
    for (const other of others) {
      this.#fold(person, other);
      counts.merged += 1;
    }
    for (const key of keys) if (!this.#holders.has(key)) this.#attach(person, key);
    person.first_name ??= said.first_name;
    person.last_name ??= said.last_name;
    for (const [property, value] of Object.entries(said.values))
      if (value !== null) person.values.set(property, value);
    if (said.optsOut && !person.isOut) {
      person.isOut = true;
      counts.optedOut += 1;
    }
  }

  #add(): ModelPerson {
    const person: ModelPerson = {
      id: null,
      first_name: null,
      last_name: null,
      identifiers: new Map(),
      values: new Map(),
      isOut: false,
    };
    this.people.add(person);
    return person;
  }

  #attach(person: ModelPerson, key: string): void {
    const isFirst = ![...person.identifiers.keys()].some((other) => typeOf(other) === typeOf(key));
    person.identifiers.set(key, isFirst);
    this.#holders.set(key, person);
    if (this.#remembered.has(key)) person.isOut = true;
  }

  #fold(survivor: ModelPerson, loser: ModelPerson): void {
    const had = new Set([...survivor.identifiers.keys()].map(typeOf));
    for (const [key, isFirst] of loser.identifiers) {
      survivor.identifiers.set(key, isFirst && !had.has(typeOf(key)));
      this.#holders.set(key, survivor);
    }
    survivor.first_name ??= loser.first_name;
    survivor.last_name ??= loser.last_name;
    for (const [property, value] of loser.values)
      if (!survivor.values.has(property)) survivor.values.set(property, value);
    survivor.isOut ||= loser.isOut;
    this.people.delete(loser);
  }
}
