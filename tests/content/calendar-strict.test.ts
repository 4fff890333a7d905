import fc from 'fast-check';
import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { calendarFile, type CalendarEvent } from '../../src/domain/content/calendar/calendar-file.ts';
import { tries } from '../support/volume.ts';

const event: CalendarEvent = {
  id: '018f0000-0000-7000-8000-000000000000',
  title: 'Getting started',
  start: new Date('2027-06-01T16:00:00.000Z'),
  minutes: 90,
  joinUrl: null,
  sequence: 0,
  changedAt: new Date('2026-11-16T10:00:00.000Z'),
  isCanceled: false,
};

/** As a strict parser reads it. */
function read(file: string) {
  const calendar = new ICAL.Component(ICAL.parse(file));
  const entry = new ICAL.Event(calendar.getFirstSubcomponent('vevent')!);
  return { calendar, entry };
}

/** Text as a calendar can keep it: one kind of line end, and no other control characters. */
const kept = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n]/gu, ' ');

test('any title and link come out of a strict parser as they went in, in lines of 75 octets at most', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc
      .array(
        fc.constantFrom('\\', ';', ',', '\n', '\r\n', 'n', ':', '"', 'ä', '🐟', ' ', '\t', 'BEGIN:VALARM'),
        { maxLength: 200 },
      )
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(
      texts,
      texts,
      fc.date({ min: new Date(0), max: new Date('2999-01-01'), noInvalidDate: true }),
      (title, link, start) => {
        const { text } = calendarFile({ ...event, title, joinUrl: link, start });
        expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
        expect(text.endsWith('\r\n')).toBe(true);
        for (const line of text.slice(0, -2).split('\r\n')) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
          expect(line.isWellFormed()).toBe(true);
        }
        const { calendar, entry } = read(text);
        expect(calendar.getAllSubcomponents()).toHaveLength(1);
        expect(entry.component.getAllSubcomponents()).toHaveLength(0);
        expect([entry.summary, entry.location, entry.description]).toEqual([
          kept(title),
          kept(link),
          `Join: ${kept(link)}`,
        ]);
        expect(entry.startDate.toJSDate().getTime()).toBe(Math.floor(start.getTime() / 1000) * 1000);
        expect(entry.startDate.zone.tzid).toBe('UTC');
        expect(entry.duration.toSeconds()).toBe(5_400);
      },
    ),
    tries(1_000),
  );
});

test('a cancellation names the same entry, and calls it off', () => {
  const { text, type } = calendarFile({ ...event, isCanceled: true, sequence: 4 });
  const { calendar, entry } = read(text);
  expect([calendar.getFirstPropertyValue('method'), entry.component.getFirstPropertyValue('status')]).toEqual(
    ['CANCEL', 'CANCELLED'],
  );
  expect([entry.uid, entry.sequence]).toEqual([read(calendarFile(event).text).entry.uid, 4]);
  expect(type).toBe('text/calendar; charset=utf-8; method=CANCEL');
});
