import {
  fieldOf,
  fieldsWith,
  type FieldColumn,
  type FieldName,
  type Fields,
  type NamesWith,
} from '../person-fields/fields.ts';

export type FieldKind = 'number' | 'date' | 'text' | 'fixed';

/** The name that the specification filters by. */
type FilterName<Name extends FieldName> = Fields[Name] extends {
  readonly filterName: infer Other extends string;
}
  ? Other
  : Name;
type Filtered = { [Kind in FieldKind]: NamesWith<{ readonly filter: Kind }> };
export type PersonField = FilterName<Filtered[FieldKind]>;

/** Fields that every person has come first. */
const inOrder = (kind: FieldKind): FieldName[] => [
  ...fieldsWith({ filter: kind, everybodyHas: true }),
  ...fieldsWith({ filter: kind, everybodyHas: false }),
];

/** Facts that only the service's own segments ask for: they are shown when read back, and callers cannot send them. */
export const serviceFields = ['identified', 'opted_out'] as const;
export type ServiceField = (typeof serviceFields)[number];

const byFilterName = new Map(
  (['number', 'date', 'text', 'fixed'] as const).flatMap(inOrder).map((name) => {
    const field = fieldOf(name);
    return [(field.filterName ?? name) as PersonField, field] as const;
  }),
);

/** What a person can be filtered by, as the specification names it. */
export const personFields = [...byFilterName.keys()];

export const isPersonField = (field: string): field is PersonField => byFilterName.has(field as PersonField);

const declared = (field: PersonField) => byFilterName.get(field)!;

export const kindOf = (field: PersonField): FieldKind => declared(field).filter!;

export const isMoney = (field: PersonField): boolean => declared(field).kind === 'money';

export const isDate = (field: string): boolean => isPersonField(field) && kindOf(field) === 'date';

/** The allowed values of a field, if they are fixed. */
export const choicesOf = (field: PersonField): readonly string[] | undefined => {
  const { filter, ...rest } = declared(field);
  return filter === 'fixed' && rest.kind === 'choice' ? rest.values : undefined;
};

export const columnOf = (field: PersonField) => declared(field).column as FieldColumn;
