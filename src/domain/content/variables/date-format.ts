import { tz } from '@date-fns/tz';
import { format, longFormatters } from 'date-fns/format'; // all of date-fns would cost every process 125 MB
import { enUS } from 'date-fns/locale/en-US';
import type { DateValue, Occasion } from './read-date.ts';
import { relativeShort, relativeToday } from './relative-date-format.ts';
import { zoneName } from './zone-name.ts';

const relative = { 'relative-short': relativeShort, 'relative-today': relativeToday } as const;

/** The allowed values of date_format, for the error about another one. */
export const dateFormats = ['a date-fns pattern such as yyyy-MM-dd', ...Object.keys(relative)];

const isRelative = (pattern: string): pattern is keyof typeof relative => Object.hasOwn(relative, pattern);

const utc = { in: tz('UTC') };
const quoted = /''|'(?:''|[^'])+(?:'|$)/g;
// date-fns refuses YYYY, YY, DD and D. At other lengths it formats them and writes the date to the console: once for
// every recipient, and personal data in the log.
const weekYearOrDayOfYear = /[YD](?!o)/;
const sample = new Date('2026-01-15T14:30:00.000Z');

/** Whether date-fns can format by the pattern: it throws on one that it does not know. */
export function isDateFormat(pattern: string): boolean {
  if (isRelative(pattern)) return true;
  if (weekYearOrDayOfYear.test(pattern.replaceAll(quoted, ' '))) return false;
  try {
    return format(sample, pattern, utc).trim() !== '';
  } catch {
    return false;
  }
}

/** The date as text, by a pattern that isDateFormat accepted. */
export function formatDate(date: DateValue, pattern: string, moment: Occasion): string {
  if (isRelative(pattern)) return relative[pattern](date, moment);
  if ('wall' in date) return format(date.wall, pattern, utc);
  const written = format(date.at, withZonePlaces(pattern), { in: tz(moment.zone) });
  return written.includes(zonePlace)
    ? written.replaceAll(zonePlace, zoneName(date.at, moment.zone))
    : written;
}

const zonePlace = '\uE000';
const tokens = /P+p*|p+|z+|''|'(?:''|[^'])+(?:'|$)/g;

/** date-fns knows how far zones are from GMT and not what they are called: z, zz and zzz become places for the name. */
const withZonePlaces = (pattern: string): string =>
  pattern.replaceAll(tokens, (token) => {
    if (/^z{1,3}$/.test(token)) return zonePlace;
    const long = longFormatters[token[0]!]?.(token, enUS.formatLong); // some of which end in z
    return long === undefined ? token : long.replace(/ z$/, ` ${zonePlace}`);
  });
