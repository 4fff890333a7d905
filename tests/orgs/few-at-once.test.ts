import { expect, test } from 'vitest';
import { fewAtOnce } from '../../src/kernel/few-at-once.ts';

const busy = () => new Error('busy');
const never = () => new Promise<never>(() => undefined);

test('acts run as many at once as there are places, in the order they came', async () => {
  const inTurn = fewAtOnce(2, busy);
  const ended: number[] = [];
  let most = 0;
  let running = 0;
  const acts = [1, 2, 3, 4, 5].map((n) =>
    inTurn(async () => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      ended.push(n);
    }),
  );
  await Promise.all(acts);
  expect([ended, most]).toEqual([[1, 2, 3, 4, 5], 2]);
});

test('a hundred more wait; who comes after them is refused at once, and who waits too long in the end', async () => {
  const inTurn = fewAtOnce(1, busy);
  void inTurn(never);
  const waiting = Array.from({ length: 100 }, () => inTurn(never));
  await expect(inTurn(never)).rejects.toThrow('busy');
  const outcomes = await Promise.allSettled(waiting);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(100);
});

test('an act that fails leaves its place', async () => {
  const inTurn = fewAtOnce(1, busy);
  for (let n = 0; n < 3; n++)
    await expect(inTurn(() => Promise.reject(new Error('its own')))).rejects.toThrow('its own');
  expect(await inTurn(() => Promise.resolve('done'))).toBe('done');
});
