import { expect, test } from 'vitest';
import { givesUpAt, nextAttempt } from '../../src/domain/delivery/ledger/retry.ts';

const now = new Date('2026-08-01T12:00:00Z');
const minutesFrom = (since: Date, then: Date): number => (then.getTime() - since.getTime()) / 60_000;

test('a message is tried again after five minutes, and then each time a little later', () => {
  const pauses = [1, 2, 3, 4, 10].map((attempts) => minutesFrom(now, nextAttempt(attempts, now)));
  expect(pauses.map((pause) => Math.round(pause * 100) / 100)).toEqual([5, 6.5, 8.45, 10.99, 53.02]);
});

test('at that pace it is tried eleven times in four hours, and eighteen times in a day', () => {
  const tries = (hours: number): number => {
    const end = now.getTime() + hours * 3_600_000;
    let attempts = 0;
    for (let at = now; at.getTime() < end; at = nextAttempt(attempts, at)) attempts++;
    return attempts;
  };
  expect([tries(4), tries(24)]).toEqual([11, 18]);
});

test('what calls to a webinar is given up when that begins, however near or far', () => {
  for (const minutes of [1, 60, 3 * 24 * 60]) {
    const webinarStart = new Date(now.getTime() + minutes * 60_000);
    expect(givesUpAt({ sendAt: now, webinarStart })).toEqual(webinarStart);
  }
});

test('what follows a webinar, or has none, is given up after a day', () => {
  const day = new Date('2026-08-02T12:00:00Z');
  expect(givesUpAt({ sendAt: now })).toEqual(day);
  expect(givesUpAt({ sendAt: now, webinarStart: undefined })).toEqual(day);
  expect(givesUpAt({ sendAt: now, webinarStart: now })).toEqual(day);
  expect(givesUpAt({ sendAt: now, webinarStart: new Date('2026-08-01T11:00:00Z') })).toEqual(day);
});
