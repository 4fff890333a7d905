import { setImmediate, setTimeout as pause } from 'node:timers/promises';

/** Whether this process serves several organizations at the moment. */
export type IsCrowded = () => boolean;

/** Awaited again and again by long work: it is nothing, or others are answered meanwhile. */
export type Breathe = () => Promise<void> | undefined;

/** Others wait for the thread no longer than that. An answer takes it some ten times. */
const pieceMs = 1;
/** In a crowd long work has a fifth of the thread's time: a p95 notices what takes a twentieth, if not by much. */
const usualRest = 4;
/** The machine may have stood still. */
const longestRestMs = 20;

/** For long work on the thread that answers everybody. It is cut into pieces, and in a crowd it rests after each. */
export function breather(
  isCrowded: IsCrowded = () => false,
  { restsFor = usualRest }: { readonly restsFor?: number } = {},
): Breathe {
  let began = performance.now();
  const letOthers = async (ms: number): Promise<void> => {
    await (isCrowded() ? pause(Math.min(ms * restsFor, longestRestMs)) : setImmediate());
    began = performance.now();
  };
  return () => {
    const ms = performance.now() - began;
    return ms < pieceMs ? undefined : letOthers(ms);
  };
}
