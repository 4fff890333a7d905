/** `npm run test:long` tries everything in full and by a new seed; otherwise it is a tenth, by the same seed each time. */
export const isLong = process.env['LONG'] === '1';

/** Told with failures: `SEED=… npm run test:long -- tests/that.test.ts` tries the same again. */
export const seed = Number(process.env['SEED'] ?? 20_261_115);

/** How many of something are tried; where a tenth would show nothing, at least so many. */
export const volume = (full: number, least = 1): number =>
  isLong ? full : Math.max(least, Math.ceil(full / 10));

/** How often fast-check tries a property, and by which seed. */
export const tries = (full: number, least?: number) => ({ numRuns: volume(full, least), seed });

/** Of a property that calls the service: to look for a smaller case that fails would take minutes. */
export const triesOfService = (full: number, least?: number) => ({
  ...tries(full, least),
  endOnFailure: true,
});
