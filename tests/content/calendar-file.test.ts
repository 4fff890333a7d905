import { expect, test } from 'vitest';
import { calendarFile, type CalendarEvent } from '../../src/domain/content/calendar/calendar-file.ts';

const event: CalendarEvent = {
  id: '018f0000-0000-7000-8000-000000000000',
  title: 'Fish, chips; and \\ more\nBEGIN:VALARM',
  start: new Date('2027-06-01T16:00:00.000Z'),
  minutes: 90,
  joinUrl: `https://example.com/join?${'ö'.repeat(60)}`,
  sequence: 3,
  changedAt: new Date('2026-11-16T10:00:00.500Z'),
  isCanceled: false,
};

/** As a calendar reads it: lines unfolded, each a name and a value. */
const read = (file: string): Map<string, string> =>
  new Map(
    file
      .replaceAll('\r\n ', '')
      .split('\r\n')
      .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );

test('an entry says what, when and where, in UTC', () => {
  const fields = read(calendarFile(event).text);
  expect(Object.fromEntries(fields)).toMatchObject({
    VERSION: '2.0',
    METHOD: 'PUBLISH',
    UID: `${event.id}@rostrum`,
    SEQUENCE: '3',
    DTSTAMP: '20261116T100000Z',
    DTSTART: '20270601T160000Z',
    DTEND: '20270601T173000Z',
    STATUS: 'CONFIRMED',
    LOCATION: event.joinUrl,
  });
  expect(read(calendarFile({ ...event, minutes: null }).text).get('DTEND')).toBe('20270601T170000Z');
  expect(read(calendarFile({ ...event, isCanceled: true }).text).get('STATUS')).toBe('CANCELLED');
  expect(calendarFile({ ...event, joinUrl: null }).text).not.toMatch(/LOCATION|DESCRIPTION/);
});

test('what somebody wrote into a title stays text: nothing of it ends a line or begins another part', () => {
  const fields = read(calendarFile({ ...event, title: `${event.title}\r\u0000\u0085x` }).text);
  expect(fields.get('SUMMARY')).toBe('Fish\\, chips\\; and \\\\ more\\nBEGIN:VALARM\\n  x');
  expect(calendarFile(event).text.match(/^BEGIN:/gm)).toHaveLength(2);
});

test('every line ends with CRLF, has at most 75 octets, and cuts no character in two', () => {
  const file = calendarFile({ ...event, title: '🐟'.repeat(100) }).text;
  expect(file.endsWith('END:VCALENDAR\r\n')).toBe(true);
  expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  const lines = file.split('\r\n');
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
  expect(lines.filter((line) => line.startsWith(' ')).length).toBeGreaterThan(5);
  expect(read(file).get('SUMMARY')).toBe('🐟'.repeat(100));
});
