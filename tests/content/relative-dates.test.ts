import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDate } from '../../src/domain/content/variables/date-format.ts';
import { readDate } from '../../src/domain/content/variables/read-date.ts';
import { tries } from '../support/volume.ts';
import { anyMoment, anyZone } from './any-date.ts';

const now = new Date('2026-01-15T14:30:00.000Z'); // a Thursday
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const write = (date: string, pattern: string, zone: string, at = now): string =>
  formatDate(readDate(date)!, pattern, { now: at, zone });
const short = (distance: number): string =>
  formatDate({ at: new Date(now.getTime() + distance) }, 'relative-short', { now, zone: 'UTC' });

describe('relative-short', () => {
  test.each([
    [0, 'now', 'now'],
    [29 * second, 'now', 'now'],
    // Minutes are rounded: a message for "an hour before" leaves some seconds late.
    [31 * second, 'in 1m', '1m ago'],
    [5 * minute + 10 * second, 'in 5m', '5m ago'],
    [59 * minute, 'in 59m', '59m ago'],
    [hour - 20 * second, 'in 1h', '1h ago'],
    [hour, 'in 1h', '1h ago'],
    // From there on, whole ones count.
    [2 * hour - minute, 'in 1h', '1h ago'],
    [3 * hour, 'in 3h', '3h ago'],
    [day - minute, 'in 23h', '23h ago'],
    [day - 20 * second, 'in 1d', '1d ago'],
    [2 * day, 'in 2d', '2d ago'],
    [7 * day - minute, 'in 6d', '6d ago'],
    [7 * day, 'in 1w', '1w ago'],
    [21 * day, 'in 3w', '3w ago'],
    [30 * day - minute, 'in 4w', '4w ago'],
    [30 * day, 'in 1mo', '1mo ago'],
    [60 * day, 'in 1mo', '1mo ago'],
    [61 * day, 'in 2mo', '2mo ago'],
    [365 * day - minute, 'in 11mo', '11mo ago'],
    [365 * day, 'in 1y', '1y ago'],
    [730 * day, 'in 1y', '1y ago'],
    [731 * day, 'in 2y', '2y ago'],
    [3_653 * day, 'in 10y', '10y ago'],
  ])('VAR-011 %i milliseconds away is %j, or %j', (distance, ahead, ago) => {
    expect(short(distance)).toBe(ahead);
    expect(short(-distance)).toBe(ago);
  });

  test.each([
    ['2026-01-15', 'UTC', 'today'],
    ['2026-01-16', 'UTC', 'in 1d'],
    ['2026-01-14', 'UTC', '1d ago'],
    ['2026-01-22', 'UTC', 'in 1w'],
    ['2025-12-16', 'UTC', '1mo ago'],
    // It is the 16th in Kiritimati by now.
    ['2026-01-16', 'Pacific/Kiritimati', 'today'],
    ['2026-01-15', 'Pacific/Kiritimati', '1d ago'],
    // A clock on the wall is that of the zone.
    ['2026-01-15T10:30', 'America/New_York', 'in 1h'],
    ['2026-01-15T10:30', 'UTC', '4h ago'],
  ])('VAR-011 the date %s in %s is %j', (date, zone, written) => {
    expect(write(date, 'relative-short', zone)).toBe(written);
  });

  test('VAR-011 a day is 24 hours also when the clocks change, and a moment is as far away in every zone', () => {
    const before = new Date('2026-03-29T00:00:00Z'); // Berlin loses an hour an hour later
    expect(write('2026-03-30T00:00:00Z', 'relative-short', 'Europe/Berlin', before)).toBe('in 1d');
    fc.assert(
      fc.property(anyMoment, anyMoment, anyZone, (at, when, zone) => {
        const written = formatDate({ at }, 'relative-short', { now: when, zone });
        expect(written).toMatch(/^(now|in \d+(m|h|d|w|mo|y)|\d+(m|h|d|w|mo|y) ago)$/);
        expect(written).toBe(formatDate({ at }, 'relative-short', { now: when, zone: 'UTC' }));
      }),
      tries(1_000),
    );
  });
});

describe('relative-today', () => {
  test.each([
    ['2026-01-15T14:30:00Z', 'UTC', 'today at 14:30 UTC'],
    ['2026-01-15T00:00:00Z', 'UTC', 'today at 00:00 UTC'],
    ['2026-01-15T23:59:59Z', 'UTC', 'today at 23:59 UTC'],
    ['2026-01-16T09:00:00Z', 'UTC', 'tomorrow at 09:00 UTC'],
    ['2026-01-14T09:00:00Z', 'UTC', 'yesterday at 09:00 UTC'],
    ['2026-01-17T09:00:00Z', 'UTC', 'Saturday at 09:00 UTC'],
    ['2026-01-21T09:00:00Z', 'UTC', 'Wednesday at 09:00 UTC'],
    ['2026-01-22T09:00:00Z', 'UTC', 'Jan 22'],
    ['2026-01-13T09:00:00Z', 'UTC', 'last Tuesday at 09:00 UTC'],
    ['2026-01-09T09:00:00Z', 'UTC', 'last Friday at 09:00 UTC'],
    ['2026-01-08T09:00:00Z', 'UTC', 'Jan 8'],
    ['2026-12-31T09:00:00Z', 'UTC', 'Dec 31'],
    ['2025-12-31T09:00:00Z', 'UTC', 'Dec 31, 2025'],
    ['2027-01-05T09:00:00Z', 'UTC', 'Jan 5, 2027'],
    // The same moment on either side of midnight.
    ['2026-01-16T04:30:00Z', 'America/New_York', 'today at 23:30 EST'],
    ['2026-01-15T10:30:00Z', 'Pacific/Kiritimati', 'today at 00:30 GMT+14'],
    ['2026-01-15T09:30:00Z', 'Pacific/Kiritimati', 'yesterday at 23:30 GMT+14'],
    ['2025-12-31T23:30:00Z', 'Europe/Berlin', 'Jan 1'],
    // Without a zone, as it stands on the wall.
    ['2026-01-15T09:00', 'America/New_York', 'today at 09:00'],
  ])('VAR-012 the moment %s in %s is %j', (moment, zone, written) => {
    expect(write(moment, 'relative-today', zone)).toBe(written);
  });

  test.each([
    ['2026-01-15', 'UTC', 'today'],
    ['2026-01-16', 'UTC', 'tomorrow'],
    ['2026-01-14', 'UTC', 'yesterday'],
    ['2026-01-19', 'UTC', 'Monday'],
    ['2026-01-11', 'UTC', 'last Sunday'],
    ['2026-02-05', 'UTC', 'Feb 5'],
    ['2027-01-05', 'UTC', 'Jan 5, 2027'],
    ['2026-01-15', 'Pacific/Kiritimati', 'yesterday'],
    ['2026-01-16', 'Pacific/Kiritimati', 'today'],
  ])('VAR-012 the date %s without a time in %s is %j', (date, zone, written) => {
    expect(write(date, 'relative-today', zone)).toBe(written);
  });

  test('VAR-012 tomorrow is the next day of the calendar, though it be 23 or 25 hours away', () => {
    const evening = new Date('2026-03-28T22:30:00Z'); // 23:30 in Berlin, before the night that lacks an hour
    expect(write('2026-03-29T21:30:00Z', 'relative-today', 'Europe/Berlin', evening)).toBe(
      'tomorrow at 23:30 CEST',
    );
    expect(write('2026-03-29T22:30:00Z', 'relative-today', 'Europe/Berlin', evening)).toBe(
      'Monday at 00:30 CEST',
    );
    const autumn = new Date('2026-10-24T21:30:00Z'); // 23:30, before the night that has one more
    expect(write('2026-10-25T22:30:00Z', 'relative-today', 'Europe/Berlin', autumn)).toBe(
      'tomorrow at 23:30 CET',
    );
  });

  test('VAR-012 of any two moments in any zone there is something to say', () => {
    const form =
      /^(today|tomorrow|yesterday|(last )?[A-Z][a-z]+day) at \d\d:\d\d (?:[A-Z]{3,5}|GMT[+-]\d+(?::\d\d){0,2})$|^[A-Z][a-z]{2} \d+(, \d{4,5})?$/;
    fc.assert(
      fc.property(anyMoment, anyMoment, anyZone, (at, when, zone) => {
        expect(formatDate({ at }, 'relative-today', { now: when, zone })).toMatch(form);
      }),
      tries(1_000),
    );
  });

  test('VAR-011 VAR-012 a date without a time never moves: which day it is in the zone is all that counts', () => {
    fc.assert(
      fc.property(anyMoment, anyMoment, anyZone, (at, when, zone) => {
        const today = formatDate({ at: when }, 'yyyy-MM-dd', { now, zone });
        fc.pre(today.length === 10 && today > '0002' && today < '9999');
        const noon = new Date(`${today}T12:00:00Z`);
        const near = new Date(noon.getTime() + (at.getTime() % (30 * day))); // mostly within weeks of today
        for (const date of [at, near].map((one) => one.toISOString().slice(0, 10))) {
          for (const pattern of ['relative-short', 'relative-today']) {
            expect(write(date, pattern, zone, when)).toBe(write(date, pattern, 'UTC', noon));
          }
        }
      }),
      tries(10_000),
    );
  });
});
