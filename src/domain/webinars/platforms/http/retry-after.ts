import type { PlatformAnswer } from './ask.ts';

const soonestMs = 1_000;
const latestMs = 2 * 86_400_000;

/** The moment until which a platform asks to be left alone, sent as a date or in seconds; capped at two days. */
export function retryAfter({ headers }: PlatformAnswer, now: Date): Date | undefined {
  const told = headers.get('retry-after');
  if (told === null || told === '') return undefined;
  const seconds = Number(told);
  const at = Number.isNaN(seconds) ? Date.parse(told) : now.getTime() + seconds * 1_000;
  if (Number.isNaN(at)) return undefined;
  return new Date(Math.min(Math.max(at, now.getTime() + soonestMs), now.getTime() + latestMs));
}
