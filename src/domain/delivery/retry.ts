const minute = 60_000;
const day = 24 * 60 * minute;
const first = 5 * minute;
const growth = 1.3;

/** When a message that was put off is tried again. `attempts` counts how often it was tried, the last time included. */
export const nextAttempt = (attempts: number, now: Date): Date =>
  new Date(now.getTime() + first * growth ** Math.max(attempts - 1, 0));

/**
 * From when on a message is not tried again. What calls to a webinar is worth nothing once that has begun; anything
 * else, what follows a webinar included, has a day.
 */
export const givesUpAt = ({
  sendAt,
  webinarStart,
}: {
  readonly sendAt: Date;
  readonly webinarStart?: Date | undefined;
}): Date =>
  webinarStart !== undefined && sendAt < webinarStart ? webinarStart : new Date(sendAt.getTime() + day);
