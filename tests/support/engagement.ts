const halfLifeMs = 30 * 86_400_000;

/** A score before it is rounded, by the formula alone: 100 · (1 − 2^(−raw / 8)). */
export const unroundedScore = (raw: number): number => 100 * (1 - 2 ** (-raw / 8));

/** The score that `people.engagement` stands for at a moment. */
export const scoreAt = (engagement: number | null, now: Date): number | null =>
  engagement === null ? null : Math.round(unroundedScore(2 ** (engagement - now.getTime() / halfLifeMs)));

/** What `people.engagement` is for somebody in the middle of a score from 0 to 100. */
export function engagementOf(score: number, now: Date): number {
  const raw = -8 * Math.log2(1 - Math.min(Math.max(score, 0.1), 99.9) / 100);
  return Math.log2(raw) + now.getTime() / halfLifeMs;
}
