import filters from 'virtual:filters';
import type { Input, Output } from '../call/types.ts';

export type Segment = Output<'get_segment'>['segment'];
export type Sent = Input<'create_segment'>['filters'][number];
type Property = Output<'list_property_configs'>['property_configs'][number];

export interface FilterField {
  /** How it is told apart in the list of fields: a field of the service, or a property of the organization. */
  readonly id: string;
  readonly label: string;
  readonly kind: 'number' | 'date' | 'text' | 'fixed' | 'boolean';
  readonly choices: readonly string[];
}

const words = (name: string): string => {
  const said = name
    .replaceAll('_', ' ')
    .replace(/\bmrr\b/, 'MRR')
    .replace(/\bltv\b/, 'lifetime value');
  return said[0]!.toUpperCase() + said.slice(1);
};

const own = 'own:';

/** Everything people can be filtered by here. */
export const fieldsWith = (properties: readonly Property[]): readonly FilterField[] => [
  ...filters.fields.map(({ name, kind, choices = [] }) => ({ id: name, label: words(name), kind, choices })),
  ...properties.map(({ key, name, type }) => ({
    id: own + key,
    label: `Property: ${name}`,
    kind: type === 'string' ? ('text' as const) : type,
    choices: [],
  })),
];

export const operatorsFor = ({ kind }: FilterField): readonly string[] => filters.operatorsOf[kind];

const operatorWords: Readonly<Record<string, string>> = {
  eq: 'is',
  neq: 'is not',
  gt: 'more than',
  gte: 'at least',
  lt: 'less than',
  lte: 'at most',
  contains: 'contains',
  in: 'is any of',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
};
const dateWords: Readonly<Record<string, string>> = {
  gt: 'after',
  gte: 'at or after',
  lt: 'before',
  lte: 'at or before',
};

export const wordsOf = (op: string, kind: FilterField['kind']): string =>
  (kind === 'date' ? dateWords[op] : operatorWords[op]) ?? op;

export const fieldIdOf = (condition: Pick<Sent, 'property' | 'custom_property_key'>): string =>
  condition.property ?? own + condition.custom_property_key;

const takesNone = (op: string): boolean => op === 'is_empty' || op === 'is_not_empty';

/** A condition about a field, with whatever of the former one still fits. */
export function conditionOn(field: FilterField, op: string, former?: Sent): Sent {
  const about = field.id.startsWith(own)
    ? { custom_property_key: field.id.slice(own.length) }
    : { property: field.id as NonNullable<Sent['property']> };
  const asked = {
    ...about,
    op: (operatorsFor(field).includes(op) ? op : operatorsFor(field)[0]) as Sent['op'],
  };
  if (takesNone(asked.op)) return asked;
  if (asked.op === 'in') return { ...asked, values: former?.values ?? field.choices.slice(0, 1) };
  return { ...asked, value: isValueOf(field, former?.value) ? former?.value : firstValueOf(field) };
}

const isValueOf = ({ kind, choices }: FilterField, value: unknown): boolean =>
  kind === 'number'
    ? typeof value === 'number'
    : kind === 'fixed'
      ? choices.includes(value as string)
      : typeof value === (kind === 'boolean' ? 'boolean' : 'string');

const firstValueOf = ({ kind, choices }: FilterField): unknown =>
  kind === 'number' ? 0 : kind === 'boolean' ? true : kind === 'date' ? 'now-30d' : (choices[0] ?? '');

/** Said in a few words, where there is no room for controls. */
export function sayCondition(condition: Sent, fields: readonly FilterField[]): string {
  const field = fields.find(({ id }) => id === fieldIdOf(condition));
  const label = field?.label ?? fieldIdOf(condition);
  const value =
    condition.values?.join(' or ') ??
    (condition.value === undefined ? '' : JSON.stringify(condition.value).replace(/^"|"$/g, ''));
  return `${label} ${wordsOf(condition.op, field?.kind ?? 'text')} ${value}`.trim();
}
