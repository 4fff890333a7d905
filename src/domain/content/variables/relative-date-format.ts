import { tz } from '@date-fns/tz';
import { format } from 'date-fns/format'; // all of date-fns would cost every process 125 MB
import { wallAt, type DateValue, type Occasion } from './read-date.ts';
import { zoneName } from './zone-name.ts';

const minute = 60_000;
const hoursOfDay = 24;
const daysOfMonth = 30.4375;
const daysOfYear = 365.25;
const utc = { in: tz('UTC') };

/**
 * "now", "in 5m", "3h ago": one number and its unit. Minutes are rounded, because a message leaves some seconds after
 * the moment it was meant for and "in 59m" would be said of an hour; of the larger units whole ones count.
 * A date without time is that many days away: "today", "in 2d".
 */
export function relativeShort(date: DateValue, { now, zone }: Occasion): string {
  if ('wall' in date && !date.hasTime) {
    const days = daysBetween(wallAt(now, zone), date.wall);
    return days === 0 ? 'today' : awayOrAgo(days < 0, inDays(Math.abs(days)));
  }
  const distance =
    'at' in date ? date.at.getTime() - now.getTime() : date.wall.getTime() - wallAt(now, zone).getTime();
  const minutes = Math.round(Math.abs(distance) / minute);
  return minutes === 0 ? 'now' : awayOrAgo(distance < 0, inMinutes(minutes));
}

const awayOrAgo = (isPast: boolean, length: string): string => (isPast ? `${length} ago` : `in ${length}`);

function inMinutes(minutes: number): string {
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < hoursOfDay ? `${hours}h` : inDays(Math.floor(hours / hoursOfDay));
}

function inDays(days: number): string {
  if (days < 7) return `${days}d`;
  if (days < 30) return `${Math.floor(days / 7)}w`;
  if (days < 365) return `${Math.max(1, Math.floor(days / daysOfMonth))}mo`;
  return `${Math.max(1, Math.floor(days / daysOfYear))}y`;
}

/**
 * "today at 14:30 CET", "tomorrow at 09:00 CET", within a week the weekday, beyond it the day alone: "Jan 5", and
 * "Jan 5, 2027" of another year. A time on the wall is in no zone. Days are those of the calendar in the zone, not spans of 24 hours.
 */
export function relativeToday(date: DateValue, { now, zone }: Occasion): string {
  const today = wallAt(now, zone);
  const wall = 'at' in date ? wallAt(date.at, zone) : date.wall;
  const days = daysBetween(today, wall);
  if (Math.abs(days) > 6) {
    return format(wall, wall.getUTCFullYear() === today.getUTCFullYear() ? 'MMM d' : 'MMM d, yyyy', utc);
  }
  const time = 'at' in date || date.hasTime ? ` at ${format(wall, 'HH:mm', utc)}` : '';
  const name = 'at' in date ? ` ${zoneName(date.at, zone)}` : '';
  return dayName(days, wall) + time + name;
}

function dayName(days: number, wall: Date): string {
  if (days === 0) return 'today';
  if (days === 1) return 'tomorrow';
  if (days === -1) return 'yesterday';
  return format(wall, days > 0 ? 'EEEE' : "'last' EEEE", utc);
}

const daysBetween = (from: Date, to: Date): number => dayNumber(to) - dayNumber(from);

const dayNumber = (wall: Date): number => Math.floor(wall.getTime() / (hoursOfDay * 60 * minute));
