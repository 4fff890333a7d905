import { cityOf, clockTime } from '../format/time.ts';
import type { Webinar } from './state.tsx';

const minuteMs = 60_000;

/** Where its times are told: its own zone, or the organization's. */
export const zoneOf = ({ timezone }: Webinar, orgZone: string): string => timezone ?? orgZone;

export const startOf = ({ start_time }: Webinar): Date => new Date(start_time);

const endOf = (webinar: Webinar): Date | undefined =>
  webinar.duration_minutes === null
    ? undefined
    : new Date(startOf(webinar).getTime() + webinar.duration_minutes * minuteMs);

/** Tue 24 Nov 2026 */
export const longDay = (at: Date, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
    .format(at)
    .replace(',', '');

/** 18:00 – 19:15 */
export function hours(webinar: Webinar, zone: string): string {
  const end = endOf(webinar);
  const start = clockTime(startOf(webinar), zone);
  return end === undefined ? start : `${start} – ${clockTime(end, zone)}`;
}

/** 12:00 New York · 17:00 UTC: where else somebody may look at the clock. Equal ones fall together. */
export function elsewhere(at: Date, zone: string): string {
  const viewer = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const told = new Map([[clockTime(at, zone), zone]]);
  for (const other of [viewer, 'UTC'])
    if (!told.has(clockTime(at, other))) told.set(clockTime(at, other), other);
  return [...told]
    .slice(1)
    .map(([time, other]) => `${time} ${cityOf(other)}`)
    .join(' · ');
}

/** in 8 days, in 3 hours, 2 days ago */
export function fromNow(at: Date, now: Date): string {
  const minutes = Math.round((at.getTime() - now.getTime()) / minuteMs);
  const [amount, unit] =
    Math.abs(minutes) < 90
      ? [minutes, 'minute' as const]
      : Math.abs(minutes) < 36 * 60
        ? [Math.round(minutes / 60), 'hour' as const]
        : [Math.round(minutes / 1_440), 'day' as const];
  return new Intl.RelativeTimeFormat('en-GB', { numeric: 'always' }).format(amount, unit);
}
