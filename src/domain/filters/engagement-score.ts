export const halfLifeMs = 30 * 24 * 60 * 60 * 1_000;
export const rawOfFifty = 8; // a raw engagement of this much scores 50

/** A person's raw engagement for an unrounded score. */
const rawOf = (score: number): number => -rawOfFifty * Math.log2(1 - score / 100);

const halvings = (now: Date): number => now.getTime() / halfLifeMs;

// What the raw engagement must be for each score from 1 to 100, as its logarithm: a score is rounded, so 1 begins at 0.5.
const steps = Array.from({ length: 100 }, (_, below) => Math.log2(rawOf(below + 0.5)));

/** What `people.engagement` must be at least for a score from 1 to 100 now. */
export const leastEngagement = (score: number, now: Date): number => steps[score - 1]! + halvings(now);

/**
 * A person's score now, from 0 to 100: round(100 · (1 − 2^(−raw / 8))). Uses the same bounds as filters, so that a
 * filter and a record never disagree about the last binary digit.
 */
export function engagementScore(engagement: number | null, now: Date): number | null {
  if (engagement === null) return null;
  const reached = steps.findLastIndex((_, below) => engagement >= leastEngagement(below + 1, now));
  return reached + 1;
}

/** What weights are worth now, of a sum of them as it is stored. */
export const rawEngagement = (engagement: number | null, now: Date): number =>
  engagement === null ? 0 : 2 ** (engagement - halvings(now));

/** An engagement that makes this score now, and for a while. */
export const engagementWith = (score: number, now: Date): number =>
  Math.log2(rawOf(Math.min(Math.max(score, 0.1), 99.9))) + halvings(now);
