import type { People } from '../../database/tables.generated.ts';
import { engagement } from './engagement.ts';
import type { MergeRule, PersonField, Written } from './field.ts';
import { identity } from './identity.ts';
import { payment } from './payment.ts';

/** Every built-in field of a person, by the name it is shown under. All lists of fields have this order. */
export const fieldsOfPerson = { ...identity, ...payment, ...engagement } as const;

export type Fields = typeof fieldsOfPerson;
export type FieldName = keyof Fields;
export type FieldColumn = Fields[FieldName]['column'];
export type NamesWith<Part> = { [Name in FieldName]: Fields[Name] extends Part ? Name : never }[FieldName];

export const fieldNames = Object.keys(fieldsOfPerson) as FieldName[];

/** A field, typed as what all fields have in common. */
export const fieldOf = (name: FieldName): PersonField => fieldsOfPerson[name];

/** The fields that are declared with these parts. */
export const fieldsWith = <const Part extends Partial<PersonField>>(part: Part): NamesWith<Part>[] =>
  fieldNames.filter((name): name is NamesWith<Part> =>
    Object.entries(part).every(([key, value]) => fieldOf(name)[key as keyof PersonField] === value),
  );

/** What callers may write of a person; all of it is text. */
export type WrittenField = NamesWith<{ readonly written: Written }>;

export const isWritten = (name: string): name is WrittenField =>
  Object.hasOwn(fieldsOfPerson, name) && fieldOf(name as FieldName).written !== null;

// Each is named as its column.
export const writtenFields = fieldNames.filter(isWritten) satisfies (keyof People)[];

/** A record with an entry for each written field. */
export const forWritten = <T>(make: (written: Written, name: WrittenField) => T): Record<WrittenField, T> =>
  Object.fromEntries(writtenFields.map((name) => [name, make(fieldsOfPerson[name].written, name)])) as Record<
    WrittenField,
    T
  >;

/** Columns that are no field, with what a merge makes of them. */
export const otherColumns = {
  org_id: 'survivor',
  id: 'survivor',
  other_email: 'from the identifiers',
  primary_team_member: 'survivor unless empty',
  assigned_team_members: 'members of both',
  updated_at: 'time of the merge',
} as const satisfies Readonly<Record<Exclude<keyof People, FieldColumn>, MergeRule>>;
