import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { shareCalls, type CallCost } from '../../src/catalogue/share-calls.ts';
import type { OrgId } from '../../src/kernel/ids.ts';

const [one, two] = ['one', 'two'] as OrgId[] as [OrgId, OrgId];

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** With as many calls of one as it may have beside another, all of which take so long: when the next begins. */
async function nextBeginsAfter(call: CallCost, atOnce: number, tookMs: number): Promise<number> {
  const { take } = shareCalls(16, { onShed: () => undefined, onHeavy: () => undefined });
  await take(two, {});
  const frees = await Promise.all(Array.from({ length: atOnce }, () => take(one, call)));
  const began = performance.now();
  let waited: number | undefined;
  void take(one, call).then(() => (waited = performance.now() - began));
  await vi.advanceTimersByTimeAsync(tookMs);
  expect(waited).toBeUndefined();
  for (const free of frees) free();
  await vi.advanceTimersByTimeAsync(5_000);
  return waited! - tookMs;
}

test.each([
  ['a light call', {}, 2, 60, 0],
  ['a heavy call', { cost: 'heavy' as const }, 1, 60, 480],
  ['a heavy call that took long', { cost: 'heavy' as const }, 1, 2_000, 1_000],
])('how long the place of %s rests beside others', async (_name, call, atOnce, tookMs, restMs) => {
  expect(await nextBeginsAfter(call, atOnce, tookMs)).toBe(restMs);
});
