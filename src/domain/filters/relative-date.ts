import { Moment } from '../../kernel/moment.ts';

const token = /^now(?:([+-])(\d{1,6})([dh]))?$/;
const hour = 3_600_000;

/**
 * The moment a date value stands for when it is read at `now`: an ISO 8601 timestamp, `now`, or `now` plus or minus
 * whole days or hours. Undefined when it is none of these. A day is 24 hours, so that no time zone moves a boundary.
 */
export function momentOf(value: string, now: Date): Date | undefined {
  const relative = token.exec(value);
  if (relative === null) return Moment.safeParse(value).data;
  const [, sign, count = '0', unit] = relative;
  const milliseconds = Number(count) * (unit === 'd' ? 24 * hour : hour);
  return new Date(now.getTime() + (sign === '-' ? -milliseconds : milliseconds));
}
