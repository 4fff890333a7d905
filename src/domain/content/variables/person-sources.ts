import { valueOf } from '../../people/record/field-value.ts';
import { fieldNames, fieldOf, type FieldName } from '../../person-fields/fields.ts';
import { listed, type NameParts, type PersonColumn, type PersonRow, type Source } from './source.ts';

const typeOf = {
  text: 'text',
  choice: 'text',
  number: 'number',
  money: 'number',
  score: 'number',
  moment: 'date',
} as const;

/** What a message reads of one field. A name is given in its parts, each of which is repaired by itself. */
function sourceOf(name: FieldName): Source[] {
  const { label, kind, column, variable } = fieldOf(name);
  if (variable === null) return [];
  const { example, part } = variable;
  const base = {
    ...listed('person', `org_user.${name}`, label, typeOf[kind], example),
    from: 'person',
    columns: [column as PersonColumn],
  } as const;
  const read = (row: PersonRow, currency: string, now: Date) => valueOf(name, row, currency, now);
  if (part === undefined) return [{ ...base, read }];
  const parts = (row: PersonRow): NameParts => ({ ...nobody, [part]: row[column as PersonColumn] });
  return [{ ...base, read: parts, isName: true }];
}

const nobody: NameParts = { given: null, family: null };

const fullName: Source = {
  ...listed('person', 'org_user.full_name', 'First and last name', 'text', 'Ada Lovelace'),
  from: 'person',
  columns: ['first_name', 'last_name'],
  read: (row) => ({ given: row.first_name, family: row.last_name }),
  isName: true,
};

const isNamePart = (name: FieldName): boolean => fieldOf(name).variable?.part !== undefined;

/** What can be read of the recipient, by the names that get_person has; the full name after its parts. */
export const personSources: readonly Source[] = [
  ...fieldNames.filter(isNamePart).flatMap(sourceOf),
  fullName,
  ...fieldNames.filter((name) => !isNamePart(name)).flatMap(sourceOf),
];
