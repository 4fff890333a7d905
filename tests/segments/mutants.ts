import { createHash } from 'node:crypto';
import { decimal, specified, type Rules } from './evaluate.ts';

const { contains, before, moment } = specified;

const withAnyText = (text: string, part: string): boolean => {
  let from = 0;
  return part.split('%').every((piece) => {
    const at = lower(text).indexOf(lower(piece), from);
    from = at + piece.length;
    return at !== -1;
  });
};
const withAnyLetter = (text: string, part: string): boolean =>
  new RegExp(part.split('_').map(literally).join('.'), 'isu').test(text);
const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
const lower = <T>(value: T): T => (typeof value === 'string' ? (value.toLowerCase() as T) : value);
const accentless = <T>(value: T): T | string =>
  typeof value === 'string' ? value.normalize('NFD').replaceAll(/\p{M}/gu, '') : value;

/** Evaluators that each get one thing wrong, in a way a query could. */
export const mutants: Readonly<Record<string, Partial<Rules>>> = {
  'any condition is enough': { together: (filters, held) => filters.some(held) },
  'the last condition is forgotten': {
    together: (filters, held) => filters.slice(0, Math.max(1, filters.length - 1)).every(held),
  },
  'neq leaves out people with no value': { neqWithoutValue: () => false },
  'neq leaves them out on fields alone': { neqWithoutValue: (on) => on === 'property' },
  'neq leaves them out on custom properties alone': { neqWithoutValue: (on) => on === 'field' },
  'eq false matches no value': { eqWithoutValue: (wanted) => wanted === false },
  'eq 0 matches no value': { eqWithoutValue: (wanted) => wanted === 0 },
  'in looks at the first value alone': { some: (wanted, same) => wanted.slice(0, 1).some(same) },
  'in wants all values': { some: (wanted, same) => wanted.every(same) },
  'texts are the same in any case': { same: (value, wanted) => lower(value) === lower(wanted) },
  'texts are the same with space around': { same: (value, wanted) => trimmed(value) === trimmed(wanted) },
  'texts are the same that begin alike': { same: (value, wanted) => cut(value) === cut(wanted) },
  'texts are the same without accents': {
    same: (value, wanted) => accentless(value) === accentless(wanted),
  },
  'zero and minus zero differ': { same: (value, wanted) => Object.is(value, wanted) },
  'gt includes the bound': { gt: specified.gte },
  'gte leaves out the bound': { gte: specified.gt },
  'lt includes the bound': { lt: specified.lte },
  'lte leaves out the bound': { lte: specified.lt },
  'numbers compare as text': { gt: (value, wanted) => String(value) > String(wanted) },
  'contains heeds case': { contains: (text, part) => text.includes(part) },
  'contains ignores case in ASCII alone': {
    contains: (text, part) => ascii(text).includes(ascii(part)),
  },
  'contains ignores accents': { contains: (text, part) => contains(accentless(text), accentless(part)) },
  'contains heeds which small sigma': {
    contains: (text, part) => text.toLowerCase().includes(part.toLowerCase()),
  },
  'contains is starts with': {
    contains: (text, part) => text.toLowerCase().startsWith(part.toLowerCase()),
  },
  '% in contains is any text': { contains: (text, part) => withAnyText(text, part) },
  '_ in contains is any letter': { contains: (text, part) => withAnyLetter(text, part) },
  'a backslash in contains escapes': {
    contains: (text, part) => contains(text, part.replaceAll(/\\(.)/gsu, '$1')),
  },
  'contains sees the first 500 letters': { contains: (text, part) => contains(text.slice(0, 500), part) },
  'contains sees the hash that stands for a long text': {
    contains: (text, part) => contains(text, part) || (isLong(text) && contains(keyOf(text), part)),
  },
  'an empty text is no value': { isEmpty: (value) => value === null || value === '' },
  'an email is compared as it was sent': { email: (wanted) => wanted },
  'an email is compared untrimmed': { email: (wanted) => wanted.toLowerCase() },
  'a condition without its config is left out': { withoutConfig: () => true },
  'a missing config is a missing value': {
    withoutConfig: ({ op }) => op === 'neq' || op === 'is_empty',
  },
  'days are hours': { moment: (value, now) => moment(value.replace('d', 'h'), now) },
  'plus is minus': { moment: (value, now) => moment(value.replace('now+', 'now-'), now) },
  'relative dates begin at midnight': {
    moment: (value, now) => moment(value, new Date(new Date(now).setUTCHours(0, 0, 0, 0))),
  },
  'milliseconds do not count': { moment: (value, now) => Math.floor(moment(value, now) / 1000) * 1000 },
  'zones do not count': { moment: (value, now) => moment(value.replace(/[+-]\d\d:\d\d$/, 'Z'), now) },
  'amounts are sent in minor units': { amount: decimal },
  'every currency has cents': { amount: (wanted, digits) => decimal(wanted * 10 ** (2 - digits)) },
  'amounts are rounded to a minor unit': {
    amount: (wanted, digits) => decimal(Math.round(wanted * 10 ** digits), digits),
  },
  'the oldest come first': { before: (a, b) => before(b, a) },
  'one moment goes by id ascending': {
    before: (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? -1 : 1),
  },
};

const ascii = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
const isLong = (text: string): boolean => Buffer.byteLength(text) > 500;
const keyOf = (text: string): string =>
  (Array.from(text).slice(0, 100).join('') + createHash('md5').update(text).digest('hex')).padEnd(501, '-');
const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

const cut = <T>(value: T): T | string => (typeof value === 'string' ? value.slice(0, 100) : value);
