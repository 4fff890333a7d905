import type { FieldError } from '../../kernel/failure.ts';
import {
  isTextWithin,
  type Operator,
  type SentCondition,
  type StoredCondition,
  type Test,
} from './condition.ts';
import { choicesOf, isMoney, type FieldKind, type PersonField } from './person-fields.ts';
import { momentOf } from './relative-date.ts';

type ValueKind = FieldKind | 'boolean';

/** What each kind of value can be asked. */
export const operatorsOf: Readonly<Record<ValueKind, readonly Operator[]>> = {
  number: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'],
  date: ['gt', 'gte', 'lt', 'lte'],
  text: ['eq', 'neq', 'contains', 'in', 'is_empty', 'is_not_empty'],
  fixed: ['eq', 'neq', 'in', 'is_empty', 'is_not_empty'],
  boolean: ['eq'],
};

const mostMoney = 1e13;

/** An error without its pointer, which depends on where the condition is. */
export type Wrong = Omit<FieldError, 'pointer'> & { readonly at: keyof SentCondition | '' };

/** What a condition asks of a value of that kind, or what is wrong with it. */
export function parseTest(
  sent: SentCondition | StoredCondition,
  kind: ValueKind,
  now: Date,
  field?: PersonField,
): Test | Wrong {
  const { op, value, values } = sent;
  const allowed = operatorsOf[kind];
  if (!allowed.includes(op)) {
    const detail = `${op} is not for ${noun[kind]}. Use one of: ${allowed.join(', ')}.`;
    return { at: 'op', code: 'invalid_operator', detail, allowed };
  }
  if (value !== undefined && (op === 'in' || op === 'is_empty' || op === 'is_not_empty')) {
    return { at: 'value', code: 'unexpected', detail: `${op} takes no value. Leave it out.` };
  }
  if (values !== undefined && op !== 'in') {
    return { at: 'values', code: 'unexpected', detail: 'values is for in alone. Send value.' };
  }
  const choices = field === undefined ? undefined : choicesOf(field);
  if (op === 'is_empty' || op === 'is_not_empty') return { type: 'text', op };
  if (op === 'in') {
    if (values === undefined) {
      return { at: 'values', code: 'invalid_type', detail: 'in takes values, a list of texts.' };
    }
    return values.every((one) => isChoice(one, choices))
      ? { type: 'text', op, values: values.map((one) => asStored(field, one)) }
      : notAChoice('values', choices!);
  }
  return parseValue(sent, kind, now, field, choices);
}

function parseValue(
  { op, value }: SentCondition | StoredCondition,
  kind: ValueKind,
  now: Date,
  field: PersonField | undefined,
  choices: readonly string[] | undefined,
): Test | Wrong {
  if (kind === 'number') {
    // JSON allows 1e400, which parses as infinity and could not be stored.
    if (typeof value !== 'number' || !Number.isFinite(value)) return wrongType('a number', 'number');
    if (field !== undefined && isMoney(field) && Math.abs(value) > mostMoney) {
      return { at: 'value', code: 'out_of_range', detail: `An amount is at most ${mostMoney} either way.` };
    }
    return { type: 'number', op: op as (Test & { type: 'number' })['op'], value };
  }
  if (kind === 'date') {
    const moment = typeof value === 'string' ? momentOf(value, now) : undefined;
    if (moment === undefined) return wrongType('a date', ...dateForms);
    return { type: 'date', op: op as (Test & { type: 'date' })['op'], value: moment };
  }
  if (kind === 'boolean') {
    return typeof value === 'boolean'
      ? { type: 'boolean', op: 'eq', value }
      : wrongType('true or false', 'true', 'false');
  }
  if (choices !== undefined && !isChoice(value, choices)) return notAChoice('value', choices);
  if (!isTextWithin(value)) return wrongType('a text of up to 8192 characters', 'string');
  if (op === 'contains' && value === '') {
    const detail = 'Every text contains the empty one. Use is_not_empty for everybody with a value.';
    return { at: 'value', code: 'too_short', detail };
  }
  const text = op === 'contains' ? value : asStored(field, value);
  return { type: 'text', op: op as 'eq' | 'neq' | 'contains', value: text } as Test;
}

const noun = {
  number: 'a number',
  date: 'a date',
  text: 'a text',
  fixed: 'a field with fixed values',
  boolean: 'a true or false property',
} as const;

const dateForms = ['ISO 8601', 'now', 'now-Nd', 'now+Nd', 'now-Nh', 'now+Nh'];

const isChoice = (value: unknown, choices: readonly string[] | undefined): boolean =>
  choices === undefined || choices.includes(value as string);

const notAChoice = (at: 'value' | 'values', choices: readonly string[]): Wrong => ({
  at,
  code: 'invalid_value',
  detail: `Must be one of: ${choices.join(', ')}.`,
  allowed: choices,
});

const wrongType = (wanted: string, ...allowed: string[]): Wrong => ({
  at: 'value',
  code: 'invalid_type',
  detail: `Must be ${wanted}${allowed.length > 2 ? `: ${allowed.join(', ')}` : ''}.`,
  allowed,
});

/** Addresses are stored trimmed and in lower case, so a whole one is compared in that form. */
const asStored = (field: PersonField | undefined, value: string): string =>
  field === 'primary_email' ? value.trim().toLowerCase() : value;
