import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callShares, type CallKind, type CallShares } from '../../src/kernel/call-shares.ts';

const limits = { light: { places: 12, least: 2 }, heavy: { places: 4, least: 1 } };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Calls that run until they are told to end. */
function calls({ take }: CallShares) {
  const running = new Map<string, (() => void)[]>();
  const answers: Promise<string>[] = [];
  return {
    answers,
    begin: (org: string, count = 1, kind: CallKind = 'light') => {
      for (let at = 0; at < count; at++) {
        const answer = take(org, kind).then(
          async (free) => {
            const { promise, resolve } = Promise.withResolvers<void>();
            running.set(org, [...(running.get(org) ?? []), resolve]);
            await promise;
            free();
            return 'done';
          },
          (error: { code: string }) => error.code,
        );
        answers.push(answer);
      }
    },
    end: async (org: string) => {
      await vi.advanceTimersByTimeAsync(0);
      running.get(org)!.shift()!();
      await vi.advanceTimersByTimeAsync(0);
    },
    of: async (org: string): Promise<number> => {
      await vi.advanceTimersByTimeAsync(0);
      return running.get(org)?.length ?? 0;
    },
  };
}

test('alone, an organization has nearly all places, and a second one finds some free at once', async () => {
  const { begin, of } = calls(callShares(limits));
  begin('one', 40);
  expect(await of('one')).toBe(9);
  begin('two', 40);
  expect(await of('two')).toBe(3);
});

test('what becomes free goes to the organization that has fewer, until each has its share', async () => {
  const { begin, end, of } = calls(callShares(limits));
  begin('one', 40);
  begin('two', 40);
  for (let at = 0; at < 9; at++) await end('one');
  expect([await of('one'), await of('two')]).toEqual([3, 3]);
  begin('three', 40);
  expect(await of('three')).toBe(2);
  for (let at = 0; at < 3; at++) await end('one');
  for (let at = 0; at < 3; at++) await end('two');
  expect([await of('one'), await of('two'), await of('three')]).toEqual([2, 2, 2]);
});

test('heavy calls take no place of light ones, and one organization has one of them beside others', async () => {
  const { begin, end, of } = calls(callShares(limits));
  begin('one', 10, 'heavy');
  expect(await of('one')).toBe(3);
  begin('two', 1);
  expect(await of('two')).toBe(1);
  for (let at = 0; at < 3; at++) await end('one');
  expect(await of('one')).toBe(1);
  await end('two');
  // The second is forgotten a while after its last call.
  await vi.advanceTimersByTimeAsync(1_100);
  expect(await of('one')).toBe(3);
});

test('forms take light places: beside others more of them than calls may, and never all', async () => {
  const { begin, end, of } = calls(callShares({ ...limits, forms: 6 }));
  begin('two');
  begin('one', 10, 'form');
  expect(await of('one')).toBe(6);
  begin('one', 10);
  expect(await of('one')).toBe(9); // and its share of calls
  begin('three', 10, 'form');
  expect(await of('three')).toBe(2);
  // What becomes free goes to whoever has fewer, whatever the kind.
  begin('four');
  await end('one');
  expect([await of('one'), await of('three'), await of('four')]).toEqual([8, 2, 1]);
  await end('one');
  expect([await of('one'), await of('three')]).toEqual([7, 3]);
});

test('many organizations share all places, and take turns', async () => {
  const { begin, end, of, answers } = calls(callShares(limits));
  const orgs = Array.from({ length: 20 }, (_, at) => `org ${at}`);
  for (const org of orgs) begin(org, 3);
  const held = await Promise.all(orgs.map(of));
  expect(held.reduce((sum, count) => sum + count)).toBe(12);
  const turns: string[] = [];
  while (turns.length < 60)
    for (const org of orgs)
      if ((await of(org)) > 0) {
        turns.push(org);
        await end(org);
      }
  expect(await Promise.all(answers)).toEqual(turns.map(() => 'done'));
  // Nobody's second call begins before everybody's first.
  expect(new Set(turns.slice(0, 40)).size).toBe(20);
});

test('what waits too long or in too great a number is refused: 429 for its own doing, else 503', async () => {
  const shed: string[] = [];
  const { begin, answers } = calls(callShares(limits, { onShed: (reason) => shed.push(reason) }));
  for (let at = 0; at < 12; at++) begin(`org ${at}`);
  begin('late');
  begin('greedy', 200);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await answers[12]).toBe('unavailable');
  expect(shed.filter((reason) => reason === 'too_many_calls')).toHaveLength(72);
  expect(shed.filter((reason) => reason === 'no_place')).toHaveLength(129);
});
