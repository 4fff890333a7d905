import { setImmediate } from 'node:timers/promises';

/** Computes while others work on what was asked of them: what was asked is on its way after one turn of the loop. */
export async function meanwhile<T>(asked: Promise<unknown>, compute: () => T | Promise<T>): Promise<T> {
  asked.catch(() => undefined); // it may fail before it is awaited below
  await setImmediate();
  const computed = await compute();
  await asked;
  return computed;
}
