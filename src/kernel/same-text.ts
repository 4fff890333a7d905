import { timingSafeEqual } from 'node:crypto';

/** Whether a secret is the one it should be. How long that takes says nothing about how much of it was right. */
export function isSameText(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
