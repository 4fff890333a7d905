import { createHash, type Hash } from 'node:crypto';
import type { PersonId } from '../../../kernel/ids.ts';
import { writtenFields } from '../../person-fields/fields.ts';
import type { KnownPerson } from './known-people.ts';

/** Half of a SHA-256, as text: a token has to be copied letter by letter. */
const shown = (hash: Hash): string => hash.digest().subarray(0, 16).toString('base64url');

export const digestOf = (what: unknown): string => shown(createHash('sha256').update(JSON.stringify(what)));

/** What a preview depends on besides rows and mapping. */
export interface Digests {
  readonly people: string;
  readonly property_values: string;
  readonly opt_outs: string;
  readonly property_configs: string;
}

/** Digests of everything read while processing rows, in row order and independent of the chunk size. */
export class Fingerprint {
  readonly #people = createHash('sha256');
  readonly #values = createHash('sha256');
  readonly #optOuts = createHash('sha256');

  /** Adds who holds each identifier of a row, and which of these would opt a person out. */
  row(number: number, holders: readonly (PersonId | undefined)[], remembered: readonly unknown[]): void {
    this.#people.update(`${JSON.stringify([number, holders.map((holder) => holder ?? null)])}\n`);
    if (remembered.some((one) => one !== undefined))
      this.#optOuts.update(`${JSON.stringify([number, remembered])}\n`);
  }

  /** Opens and clicks do not move updated_at; a name, an identifier or a merge does. */
  person(person: KnownPerson): void {
    const { id, updated_at, email_opt_out, sms_opt_out, values } = person;
    const fields = writtenFields.map((field) => person[field]);
    this.#people.update(`${JSON.stringify([id, ...fields, updated_at])}\n`);
    if (email_opt_out || sms_opt_out)
      this.#optOuts.update(`${JSON.stringify([id, email_opt_out, sms_opt_out])}\n`);
    if (values.some((value) => value !== null)) this.#values.update(`${JSON.stringify([id, values])}\n`);
  }

  digests(property_configs: string): Digests {
    return {
      people: shown(this.#people),
      property_values: shown(this.#values),
      opt_outs: shown(this.#optOuts),
      property_configs,
    };
  }
}
