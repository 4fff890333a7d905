import { expect, test } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';

test('twenty thousand ids of one moment sort in the order they were made, and none is made twice', () => {
  const now = new Date('2026-03-01T12:00:00.000Z');
  const ids = Array.from({ length: 20_000 }, () => newId(now));
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
});

test('a later moment makes greater ids, whatever was made before it', () => {
  const earlier = Array.from({ length: 100 }, () => newId(new Date('2026-03-01T12:00:00.000Z')));
  const later = newId(new Date('2026-03-01T12:00:00.001Z'));
  expect(earlier.every((id) => id < later)).toBe(true);
});

test('an id is a UUID of version 7', () => {
  expect(newId(new Date())).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
});
