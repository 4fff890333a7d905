import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  googleCalendarUrl,
  outlookCalendarUrl,
  type CalendarEntry,
} from '../../src/domain/content/calendar/calendar-links.ts';
import { tries } from '../support/volume.ts';

const entry: CalendarEntry = {
  title: 'Growth & you: 100% + more?',
  start: new Date('2026-03-29T00:30:00.000Z'), // summer time begins in Europe half an hour later
  minutes: 90,
  joinUrl: 'https://example.com/join?who=ada&key=a+b#now',
};

const read = (url: string) => Object.fromEntries(new URL(url).searchParams);

test('VAR-020 a Google link carries title, times in UTC and the join link', () => {
  const url = googleCalendarUrl(entry);
  expect(url).toMatch(/^https:\/\/calendar\.google\.com\/calendar\/render\?/);
  expect(read(url)).toEqual({
    action: 'TEMPLATE',
    text: 'Growth & you: 100% + more?',
    dates: '20260329T003000Z/20260329T020000Z',
    details: 'Join: https://example.com/join?who=ada&key=a+b#now',
  });
});

test('VAR-020 an Outlook link carries the same', () => {
  const url = outlookCalendarUrl(entry);
  expect(url).toMatch(/^https:\/\/outlook\.live\.com\/calendar\/0\/deeplink\/compose\?/);
  expect(read(url)).toEqual({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: 'Growth & you: 100% + more?',
    startdt: '2026-03-29T00:30:00Z',
    enddt: '2026-03-29T02:00:00Z',
    body: 'Join: https://example.com/join?who=ada&key=a+b#now',
  });
});

test('VAR-020 without a duration the entry is an hour long, without a join link it has no details', () => {
  const bare = { ...entry, minutes: null, joinUrl: null };
  expect(read(googleCalendarUrl(bare))).toEqual({
    action: 'TEMPLATE',
    text: entry.title,
    dates: '20260329T003000Z/20260329T013000Z',
  });
  expect(read(outlookCalendarUrl(bare))).not.toHaveProperty('body');
});

test('VAR-020 any title and link come out as they went in, without a plus for a blank', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.webUrl(), (title, joinUrl) => {
      const google = googleCalendarUrl({ ...entry, title, joinUrl });
      const outlook = outlookCalendarUrl({ ...entry, title, joinUrl });
      expect(read(google)).toMatchObject({ text: title, details: `Join: ${joinUrl}` });
      expect(read(outlook)).toMatchObject({ subject: title, body: `Join: ${joinUrl}` });
      for (const url of [google, outlook]) expect(url).toMatch(/^[!-~]+$/);
      for (const url of [google, outlook]) expect(url).not.toMatch(/[+"<>`{}|\\^]/);
    }),
    tries(1_000),
  );
});

test('VAR-020 half a surrogate pair in a title does not keep a message from leaving', () => {
  expect(read(googleCalendarUrl({ ...entry, title: 'a\ud800b' }))).toMatchObject({ text: 'a\ufffdb' });
});
