/**
 * How the engine retries a failed attempt: without long pauses, because after a restart the work waits for exactly
 * this. After some minutes the engine gives up, and the sweep sends the message again.
 */
export const shortRetries = {
  initialInterval: { milliseconds: 100 },
  maxInterval: { seconds: 2 },
  maxAttempts: 100,
  onMaxAttempts: 'kill',
} as const;
