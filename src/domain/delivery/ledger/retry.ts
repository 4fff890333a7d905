const minute = 60_000;
const day = 24 * 60 * minute;
const first = 5 * minute;
const growth = 1.3;

/** When a deferred message is tried again. `attempts` counts every try so far, the last one included. */
export const nextAttempt = (attempts: number, now: Date): Date =>
  new Date(now.getTime() + first * growth ** Math.max(attempts - 1, 0));

/**
 * The moment from which a message is not tried again. An invitation to a webinar is useless once the webinar has begun;
 * any other message, a follow-up to a webinar included, has a day.
 */
export const givesUpAt = ({
  sendAt,
  webinarStart,
}: {
  readonly sendAt: Date;
  readonly webinarStart?: Date | undefined;
}): Date =>
  webinarStart !== undefined && sendAt < webinarStart ? webinarStart : new Date(sendAt.getTime() + day);
