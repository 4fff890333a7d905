import { sql, type RawBuilder } from 'kysely';
import type { SentIdentifier } from '../../identifiers/compare-identifiers.ts';
import { forWritten, writtenFields, type WrittenField } from '../../person-fields/fields.ts';
import type { PropertyChanges } from '../../properties/request-changes.ts';

export type { SentIdentifier };

/** What was sent for each field that callers write; null for nothing. */
export type SentFields = Readonly<Record<WrittenField, string | null>>;

/** A blank says nothing. */
export const takeFields = (sent: {
  readonly [Name in WrittenField]?: string | null | undefined;
}): SentFields => forWritten((_, field) => sent[field] || null);

export const saysAnything = (fields: SentFields): boolean =>
  writtenFields.some((field) => fields[field] !== null);

/** The columns of these fields, as SQL, with the table's name if one is given. */
export const writtenColumns = (table?: string): RawBuilder<unknown> =>
  sql.raw(writtenFields.map((field) => (table === undefined ? field : `${table}.${field}`)).join(', '));

/** What one call to identify_person sends about a person, and an opt-out, which only a list can send. */
export interface PersonSent {
  /** In lookup order, each once, at least one. */
  readonly identifiers: readonly SentIdentifier[];
  readonly fields: SentFields;
  readonly values: PropertyChanges;
  readonly optsOut: boolean;
}
