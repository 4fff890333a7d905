import { kindOfField, moneyFields, type Condition, type Person } from './facts.ts';

type Comparable = string | number | bigint | boolean;
type Value = Comparable | null;

/** What holds at the moment of a read, beside the people. */
export interface Reading {
  readonly now: Date;
  readonly minorDigits: number;
  /** The keys that have a config. */
  readonly keys: ReadonlySet<string>;
}

/**
 * Each sentence of the specification and of contract.md about filters, by itself, so that a test can bend one and see
 * that it is noticed.
 */
export const specified = {
  together: (filters: readonly Condition[], held: (condition: Condition) => boolean): boolean =>
    filters.every(held),
  /** Contract 4.10: texts are compared exactly. */
  same: (value: Comparable, wanted: Comparable): boolean => value === wanted,
  eqWithoutValue: (_wanted: Comparable): boolean => false,
  /** Contract 4.10 says of fields what section 2.10 says of custom properties. */
  neqWithoutValue: (_on: 'field' | 'property'): boolean => true,
  gt: (value: Comparable, wanted: Comparable): boolean => value > wanted,
  gte: (value: Comparable, wanted: Comparable): boolean => value >= wanted,
  lt: (value: Comparable, wanted: Comparable): boolean => value < wanted,
  lte: (value: Comparable, wanted: Comparable): boolean => value <= wanted,
  contains: (text: string, part: string): boolean => fold(text).includes(fold(part)),
  some: (wanted: readonly string[], same: (one: string) => boolean): boolean => wanted.some(same),
  isEmpty: (value: Value): boolean => value === null,
  /** Section 4.3: a condition whose config was deleted stays and matches nobody. */
  withoutConfig: (_condition: Condition): boolean => false,
  /** Contract 4.16: addresses are compared trimmed and lowercased. */
  email: (wanted: string): string => wanted.trim().toLowerCase(),
  moment: (value: string, now: Date): number => {
    const [, sign, count, unit] = /^now(?:([+-])(\d+)([dh]))?$/.exec(value) ?? [];
    if (!value.startsWith('now')) return Date.parse(value);
    const away = Number(count ?? 0) * (unit === 'd' ? 86_400_000 : 3_600_000);
    return now.getTime() + (sign === '-' ? -away : away);
  },
  /** Money is a number of major units on the wire and whole minor units where it is kept. */
  amount: (wanted: number, _minorDigits: number): bigint => decimal(wanted),
  before: (a: Person, b: Person): number =>
    b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1),
};
export type Rules = typeof specified;

/** Case is ignored as lower case ignores it, and a capital sigma is both of the small ones. */
const fold = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ');

/** Who meets every condition, in the order of a list. */
export const membersOf = (
  people: readonly Person[],
  filters: readonly Condition[],
  at: Reading,
  rules: Rules = specified,
): Person[] =>
  people
    .filter((person) => rules.together(filters, (condition) => holds(person, condition, at, rules)))
    .toSorted(rules.before);

export function holds(person: Person, condition: Condition, at: Reading, rules: Rules = specified): boolean {
  const { property, custom_property_key: named, op, value, values = [] } = condition;
  if (property === undefined) {
    const key = [named!, keyAsKept(named!)].find((one) => at.keys.has(one));
    if (key === undefined) return rules.withoutConfig(condition);
    return test(op, person.properties.get(key) ?? null, value ?? null, values, 'property', rules);
  }
  const fact = person.fields[property] ?? null;
  if (moneyFields.includes(property)) {
    const wanted = rules.amount(value as number, at.minorDigits);
    return test(op, decimal(fact as number, at.minorDigits), wanted, [], 'field', rules);
  }
  if (kindOfField.get(property) === 'date') {
    const wanted = rules.moment(value as string, at.now);
    return test(op, (fact as Date | null)?.getTime() ?? null, wanted, [], 'field', rules);
  }
  const isEmail = property === 'primary_email' && op !== 'contains';
  const asKept = (text: string): string => (isEmail ? rules.email(text) : text);
  const wanted = typeof value === 'string' ? asKept(value) : (value ?? null);
  return test(op, fact as Value, wanted, values.map(asKept), 'field', rules);
}

function test(
  op: string,
  value: Value,
  wanted: Value,
  values: readonly string[],
  on: 'field' | 'property',
  rules: Rules,
): boolean {
  switch (op) {
    case 'is_empty':
      return rules.isEmpty(value);
    case 'is_not_empty':
      return !rules.isEmpty(value);
    case 'in':
      return value !== null && rules.some(values, (one) => rules.same(value, one));
    case 'eq':
      return value === null ? rules.eqWithoutValue(wanted!) : rules.same(value, wanted!);
    case 'neq':
      return value === null ? rules.neqWithoutValue(on) : !rules.same(value, wanted!);
    case 'contains':
      return value !== null && rules.contains(value as string, wanted as string);
    default:
      return value !== null && rules[op as 'gt' | 'gte' | 'lt' | 'lte'](value, wanted!);
  }
}

/** Contract 4.5: a key is looked for as it is sent, then in snake_case. */
export const keyAsKept = (key: string): string =>
  key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const places = 40;

/** A number as its digits say, times 10^40, so that amounts compare exactly. */
export function decimal(number: number, minorDigits = 0): bigint {
  const [, sign = '', whole = '', part = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(
    String(number),
  )!;
  const zeros = places + Number(power) - part.length - minorDigits;
  return BigInt(`${sign}${whole}${part}`) * 10n ** BigInt(zeros);
}
