import type { Remembered } from '../../identifiers/suppressed-address.ts';
import type { SentFields, SentIdentifier } from '../../people/identify/sent-person.ts';
import { writtenFields } from '../../person-fields/fields.ts';
import { shortened, type KnownPerson } from './known-people.ts';
import type { MappedValues } from '../record/mapping.ts';
import type { StagedRow } from '../record/staged-row.ts';

const none: MappedValues = [];

const bitsOf = (fields: SentFields): number =>
  writtenFields.reduce((bits, field, place) => (fields[field] === null ? bits : bits | (1 << place)), 0);

/**
 * What a person becomes as rows are processed. Fifty thousand are in memory at once, so of what is stored only the
 * values are kept, for comparison, and of what a file says nothing.
 */
export class Somebody {
  readonly isStored: boolean;
  matched = false;
  gone = false;
  #changed = false;
  #suppressed = false;
  /** Which of the written fields they have, one bit each. */
  #filled: number;
  #emailOut: boolean;
  #smsOut: boolean;
  readonly #values: MappedValues;
  /** Places of values that have changed. Most people have none, and an empty set takes 152 bytes. */
  #others: Set<number> | undefined;

  /** Without `stored`, a person whom the file creates. */
  constructor(stored?: KnownPerson) {
    this.isStored = stored !== undefined;
    this.#filled = stored === undefined ? 0 : bitsOf(stored);
    this.#emailOut = stored?.email_opt_out ?? false;
    this.#smsOut = stored?.sms_opt_out ?? false;
    this.#values = stored?.values ?? none;
  }

  get isChanged(): boolean {
    return this.#changed || (this.#others?.size ?? 0) > 0;
  }

  /** Whether a value that existed has changed. */
  hasOther(place: number): boolean {
    return (this.#values[place] ?? null) !== null && this.#others?.has(place) === true;
  }

  /** Suppression survives. Fields and values taken over make no difference: the person has changed anyway. */
  absorb(other: Somebody): void {
    other.gone = true;
    this.#changed = true;
    this.#emailOut ||= other.#emailOut;
    this.#smsOut ||= other.#smsOut;
  }

  /** Whether a remembered address opts them out, and none did so before. */
  attach(missing: readonly SentIdentifier[], remembered: Remembered): boolean {
    if (missing.length > 0) this.#changed = true;
    const before = this.#suppressed;
    for (const one of missing) {
      const { email = false, sms = false } = remembered(one) ?? {};
      if ((email && !this.#emailOut) || (sms && !this.#smsOut)) this.#suppressed = true;
      this.#emailOut ||= email;
      this.#smsOut ||= sms;
    }
    return this.#suppressed && !before;
  }

  /** Fields fill, values overwrite, blanks do nothing. */
  fill({ fields, values }: StagedRow): void {
    const said = bitsOf(fields);
    if ((said & ~this.#filled) !== 0) this.#changed = true;
    this.#filled |= said;
    if (!this.isStored) return;
    for (const [place, value] of values.entries()) {
      if (value === null) continue;
      if (shortened(value) === this.#values[place]) this.#others?.delete(place);
      else (this.#others ??= new Set()).add(place);
    }
  }

  /** Returns whether they were not opted out of email yet. */
  optOut(): boolean {
    if (this.#emailOut) return false;
    this.#emailOut = true;
    this.#changed = true;
    return true;
  }
}
