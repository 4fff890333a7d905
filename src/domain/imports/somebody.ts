import type { Remembered } from '../identifiers/suppressed-address.ts';
import type { SentIdentifier } from '../people/sent-person.ts';
import { shortened, type KnownPerson } from './known-people.ts';
import type { MappedValues } from './mapping.ts';
import type { StagedRow } from './staged-row.ts';

const none: MappedValues = [];

/**
 * A person while rows are gone through: what they become. Fifty thousand of them are held at once, so of what is stored
 * only the values stay, to be compared, and of what a file says nothing does.
 */
export class Somebody {
  readonly isStored: boolean;
  matched = false;
  gone = false;
  #changed = false;
  #suppressed = false;
  #hasFirstName: boolean;
  #hasLastName: boolean;
  #emailOut: boolean;
  #smsOut: boolean;
  readonly #values: MappedValues;
  /** Places of values that are other ones now. Most people need none, and an empty set has 152 bytes. */
  #others: Set<number> | undefined;

  /** Without what is stored, somebody whom the file makes. */
  constructor(stored?: KnownPerson) {
    this.isStored = stored !== undefined;
    this.#hasFirstName = (stored?.first_name ?? null) !== null;
    this.#hasLastName = (stored?.last_name ?? null) !== null;
    this.#emailOut = stored?.email_opt_out ?? false;
    this.#smsOut = stored?.sms_opt_out ?? false;
    this.#values = stored?.values ?? none;
  }

  get isChanged(): boolean {
    return this.#changed || (this.#others?.size ?? 0) > 0;
  }

  /** A value that was there and is another one now. */
  hasOther(place: number): boolean {
    return (this.#values[place] ?? null) !== null && this.#others?.has(place) === true;
  }

  /** Suppression survives. Names and values that they take over make no difference here: they have changed anyway. */
  absorb(other: Somebody): void {
    other.gone = true;
    this.#changed = true;
    this.#emailOut ||= other.#emailOut;
    this.#smsOut ||= other.#smsOut;
  }

  /** Whether a remembered address opts them out, who were not opted out by one before. */
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

  /** Names fill, values overwrite, blanks do nothing. */
  fill({ names, values }: StagedRow): void {
    if (!this.#hasFirstName && names.first_name !== null) this.#hasFirstName = this.#changed = true;
    if (!this.#hasLastName && names.last_name !== null) this.#hasLastName = this.#changed = true;
    if (!this.isStored) return;
    for (const [place, value] of values.entries()) {
      if (value === null) continue;
      if (shortened(value) === this.#values[place]) this.#others?.delete(place);
      else (this.#others ??= new Set()).add(place);
    }
  }

  /** Whether they were not opted out of email yet. */
  optOut(): boolean {
    if (this.#emailOut) return false;
    this.#emailOut = true;
    this.#changed = true;
    return true;
  }
}
