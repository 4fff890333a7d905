/**
 * How often the engine tries what failed: whoever restarts is waiting for exactly this, so without long pauses. After
 * some minutes it is given up, and the sweep tells of it again.
 */
export const soonAgain = {
  initialInterval: { milliseconds: 100 },
  maxInterval: { seconds: 2 },
  maxAttempts: 100,
  onMaxAttempts: 'kill',
} as const;
