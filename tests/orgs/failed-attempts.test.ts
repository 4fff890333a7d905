import { expect, test } from 'vitest';
import { failedAttempts } from '../../src/domain/orgs/failed-attempts.ts';

const at = (seconds: number) => new Date(Date.parse('2026-03-01T12:00:00Z') + seconds * 1000);

test('an address waits for the end of the minute in which it failed too often, and no other does', () => {
  const failed = failedAttempts(3);
  for (const second of [1, 2, 47.5]) {
    expect(failed.waitOf('192.0.2.7', at(second))).toBe(0);
    failed.add('192.0.2.7', at(second));
  }
  expect(failed.waitOf('192.0.2.7', at(47.5))).toBe(13);
  expect(failed.waitOf('192.0.2.8', at(47.5))).toBe(0);
  expect(failed.waitOf('192.0.2.7', at(60))).toBe(0);
});

test('a counter that is full stays full', () => {
  const failed = failedAttempts(60_000);
  for (let n = 0; n < 70_000; n++) failed.add('192.0.2.7', at(1));
  expect(failed.waitOf('192.0.2.7', at(1))).toBe(59);
});

test('many addresses that failed too often keep few others waiting', () => {
  const failed = failedAttempts(3);
  for (let n = 0; n < 4_000; n++)
    for (let times = 0; times < 3; times++) failed.add(`2001:db8:${n.toString(16)}::1`, at(1));
  expect(failed.waitOf('2001:db8:9::1', at(1))).toBe(59);
  const others = Array.from({ length: 1_000 }, (_, n) => `192.0.${n >> 8}.${n & 255}`);
  // 4,000 of 65,536 places are taken in each row: one of about 270 others shares both.
  expect(others.filter((address) => failed.waitOf(address, at(1)) > 0).length).toBeLessThan(30);
});
