import { setImmediate } from 'node:timers/promises';

/** For long loops on the thread that answers everybody: awaited each time, it lets the others on now and then. */
export function breather(every: number): () => Promise<void> | undefined {
  let times = 0;
  return () => (++times % every === 0 ? setImmediate() : undefined);
}
