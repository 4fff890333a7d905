import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { formatDate, isDateFormat } from '../../src/domain/content/variables/date-format.ts';
import { readDate } from '../../src/domain/content/variables/read-date.ts';
import { tries } from '../support/volume.ts';
import { anyMoment, anyPattern, anyZone } from './any-date.ts';

const now = new Date('2026-01-15T14:30:00.000Z');

/** The text of a date in a zone, by a pattern. */
function write(date: string, pattern: string, zone = 'UTC', at = now): string {
  const read = readDate(date);
  if (read === undefined) throw new Error(`${date} does not read as a date`);
  return formatDate(read, pattern, { now: at, zone });
}

describe('patterns', () => {
  test.each([
    ['yyyy-MM-dd', '2026-07-04'],
    ['EEEE, MMMM do', 'Saturday, July 4th'],
    ['MMM d, yyyy', 'Jul 4, 2026'],
    ['d.M.yy', '4.7.26'],
    ['HH:mm', '18:05'],
    ["h:mm a 'o''clock'", "6:05 PM o'clock"],
    ['PPp', 'Jul 4, 2026, 6:05 PM'],
    ['zzz', 'EDT'],
    ['z', 'EDT'],
    ['zzzz', 'GMT-04:00'],
    ['O', 'GMT-4'],
    ['PPPppp', 'July 4th, 2026 at 6:05:00 PM EDT'],
    ["HH:mm 'z'zz''z", "18:05 zEDT'EDT"],
    ["'{{var_x}}' yyyy", '{{var_x}} 2026'],
    ["'YYYY and DD'", 'YYYY and DD'],
  ])('VAR-010 %j is taken, and writes %j', (pattern, written) => {
    expect(isDateFormat(pattern)).toBe(true);
    expect(write('2026-07-04T22:05:00Z', pattern, 'America/New_York')).toBe(written);
  });

  test.each([
    ['Europe/Berlin', 'CET', 'CEST'],
    ['Europe/London', 'GMT', 'BST'],
    ['Europe/Dublin', 'GMT', 'IST'],
    ['Europe/Lisbon', 'WET', 'WEST'],
    ['Europe/Athens', 'EET', 'EEST'],
    ['Europe/Moscow', 'MSK', 'MSK'],
    ['America/New_York', 'EST', 'EDT'],
    ['America/Los_Angeles', 'PST', 'PDT'],
    ['America/Sao_Paulo', 'BRT', 'BRT'],
    ['Asia/Kolkata', 'IST', 'IST'],
    ['Asia/Tokyo', 'JST', 'JST'],
    ['Asia/Jerusalem', 'IST', 'IDT'],
    ['Asia/Singapore', 'SGT', 'SGT'],
    ['Australia/Sydney', 'AEDT', 'AEST'],
    ['Pacific/Auckland', 'NZDT', 'NZST'],
    ['Africa/Johannesburg', 'SAST', 'SAST'],
    ['UTC', 'UTC', 'UTC'],
    ['Pacific/Kiritimati', 'GMT+14', 'GMT+14'], // nobody calls it anything
  ])('VAR-010 the zone %s is called %s in January and %s in July', (zone, january, july) => {
    expect(write('2026-01-15T12:00:00Z', 'zzz', zone)).toBe(january);
    expect(write('2026-07-15T12:00:00Z', 'zzz', zone)).toBe(july);
  });

  test.each([
    '',
    ' ',
    '\n',
    "'",
    'YYYY-MM-DD',
    'YY',
    'Y',
    'YYY',
    'DD',
    'D',
    'DDD',
    'MMM D',
    'yyyy-DD',
    'tomorrow',
  ])('VAR-010 %j is refused', (pattern) => {
    expect(isDateFormat(pattern)).toBe(false);
  });

  test.each(['{{var}}', 'relative-long', 'relative_short', 'RELATIVE-SHORT', 'relative-today ', 'l'])(
    'VAR-010 %j is refused: letters without a meaning stand in quotes',
    (pattern) => {
      expect(isDateFormat(pattern)).toBe(false);
    },
  );

  test('VAR-010 names of what every object has are no patterns', () => {
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      expect(isDateFormat(name)).toBe(false);
    }
  });

  test('VAR-010 an accepted pattern writes any date of the years 1 to 9999 in any zone, and nothing to the console', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    fc.assert(
      fc.property(anyPattern, anyMoment, anyZone, anyMoment, (pattern, at, zone, when) => {
        fc.pre(isDateFormat(pattern));
        for (const date of [{ at }, { wall: at, hasTime: true }, { wall: at, hasTime: false }]) {
          expect(formatDate(date, pattern, { now: when, zone })).not.toBe('');
        }
      }),
      tries(30_000),
    );
    // Instead of refusing some patterns, date-fns writes a warning with the date in it.
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  test('VAR-010 asking whether any text is a pattern is always answered', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (pattern) => {
        expect(typeof isDateFormat(pattern)).toBe('boolean');
      }),
      tries(20_000),
    );
  });
});

describe('zones', () => {
  test.each([
    // Spring forward: there is no 02:30 that night, fall back: there are two.
    ['2026-03-08T06:59:00Z', 'America/New_York', '2026-03-08 01:59 -05:00'],
    ['2026-03-08T07:00:00Z', 'America/New_York', '2026-03-08 03:00 -04:00'],
    ['2026-11-01T05:30:00Z', 'America/New_York', '2026-11-01 01:30 -04:00'],
    ['2026-11-01T06:30:00Z', 'America/New_York', '2026-11-01 01:30 -05:00'],
    ['2026-03-29T00:59:00Z', 'Europe/Berlin', '2026-03-29 01:59 +01:00'],
    ['2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29 03:00 +02:00'],
    // Half an hour of summer time, and quarters of an hour.
    ['2026-10-03T15:29:00Z', 'Australia/Lord_Howe', '2026-10-04 01:59 +10:30'],
    ['2026-10-03T15:30:00Z', 'Australia/Lord_Howe', '2026-10-04 02:30 +11:00'],
    ['2026-01-15T14:30:00Z', 'Asia/Kathmandu', '2026-01-15 20:15 +05:45'],
    // Samoa had no December 30th in 2011.
    ['2011-12-30T09:59:00Z', 'Pacific/Apia', '2011-12-29 23:59 -10:00'],
    ['2011-12-30T10:00:00Z', 'Pacific/Apia', '2011-12-31 00:00 +14:00'],
    ['2026-01-15T10:30:00+14:00', 'Pacific/Honolulu', '2026-01-14 10:30 -10:00'],
  ])('VAR-010 the moment %s in %s is %s', (moment, zone, written) => {
    expect(write(moment, 'yyyy-MM-dd HH:mm xxx', zone)).toBe(written);
  });

  test('VAR-010 a date without a time is the same day in every zone', () => {
    fc.assert(
      fc.property(anyMoment, anyZone, anyMoment, (at, zone, when) => {
        const day = at.toISOString().slice(0, 10);
        expect(write(day, 'yyyy-MM-dd', zone, when)).toBe(day);
        expect(write(day, 'd', zone, when)).toBe(String(Number(day.slice(8))));
      }),
      tries(20_000),
    );
  });

  test('VAR-010 a date and time without a zone is shown as it was written', () => {
    expect(write('2026-03-08T02:30', 'yyyy-MM-dd HH:mm', 'America/New_York')).toBe('2026-03-08 02:30');
    expect(write('2026-03-08 02:30:59', 'HH:mm:ss', 'Pacific/Kiritimati')).toBe('02:30:59');
  });
});

describe('what reads as a date', () => {
  test.each([
    ['2026-01-15', { wall: new Date('2026-01-15T00:00:00Z'), hasTime: false }],
    [' 0001-01-01 ', { wall: new Date('0001-01-01T00:00:00Z'), hasTime: false }],
    ['2024-02-29', { wall: new Date('2024-02-29T00:00:00Z'), hasTime: false }],
    ['2026-01-15T14:30', { wall: new Date('2026-01-15T14:30:00Z'), hasTime: true }],
    ['2026-01-15T00:00', { wall: new Date('2026-01-15T00:00:00Z'), hasTime: true }],
    ['2026-01-15T14:30:15.1239Z', { at: new Date('2026-01-15T14:30:15.123Z') }],
    ['2026-01-15t14:30z', { at: new Date('2026-01-15T14:30:00Z') }],
    ['2026-01-15 14:30:15+02', { at: new Date('2026-01-15T12:30:15Z') }],
    ['2026-01-15T14:30-0330', { at: new Date('2026-01-15T18:00:00Z') }],
    ['2026-01-15T00:30:00+05:45', { at: new Date('2026-01-14T18:45:00Z') }],
  ])('VAR-010 %j does', (text, date) => {
    expect(readDate(text)).toEqual(date);
  });

  const none =
    'soon|15.01.2026|01/15/2026|2026-1-5|2026-01|2026|20260115|1768487400|now|2026-02-29|2026-02-30|2026-13-01|' +
    '2026-00-10|2026-01-00|2026-01-32|0000-01-01|12026-01-15|2026-01-15T24:00|2026-01-15T14:60|2026-01-15T14|' +
    '2026-01-15T14:30:60|2026-01-15Z|2026-01-15T14:30+24:00|2026-01-15T14:30+02:60|2026-01-15T14:30Z!|';
  test.each(none.split('|'))('VAR-010 %j does not', (text) => {
    expect(readDate(text)).toBeUndefined();
  });

  test('VAR-010 every moment as JSON writes it reads as itself', () => {
    fc.assert(
      fc.property(anyMoment, (at) => {
        expect(readDate(at.toISOString())).toEqual({ at });
      }),
      tries(1_000),
    );
  });
});
