import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { breather, type IsCrowded } from '../../src/kernel/breather.ts';
import { measured } from '../support/measured.ts';

const holdThread = (ms: number): void => {
  for (const began = performance.now(); performance.now() - began < ms;);
};

/** Works for 30 ms in pieces, as long work does; tells how long it took and how often others came in between. */
async function workFor(isCrowded: IsCrowded): Promise<{ ms: number; others: number }> {
  let [others, goesOn] = [0, true];
  const watching = (async () => {
    for (; goesOn; others++) await setImmediate();
  })();
  const began = performance.now();
  const breathe = breather(isCrowded);
  for (let piece = 0; piece < 60; piece++) {
    holdThread(0.5);
    await breathe();
  }
  const ms = performance.now() - began;
  goesOn = false;
  await watching;
  return { ms, others };
}

test(
  'long work lets others on after every piece, and in a crowd rests for four times as long',
  measured,
  async () => {
    const alone = await workFor(() => false);
    expect(alone.others).toBeGreaterThan(15);
    const inCrowd = await workFor(() => true);
    expect(inCrowd.ms).toBeGreaterThan(4 * 30);
  },
);
