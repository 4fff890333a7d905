import { TZDate } from '@date-fns/tz';

/** When a message is written, and in which zone its dates are. */
export interface Occasion {
  readonly now: Date;
  readonly zone: string;
}

/**
 * A point in time, or a wall-clock date, which no zone ever moves. The year, day and hour of `wall` are those it has in
 * UTC.
 */
export type DateValue = { readonly at: Date } | { readonly wall: Date; readonly hasTime: boolean };

const iso =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** ISO 8601, which is how custom properties hold dates. One that names no zone is meant without any. */
export function readDate(text: string): DateValue | undefined {
  const found = iso.exec(text.trim());
  if (found === null) return undefined;
  const [year = 0, month = 0, ...rest] = found.slice(1, 7).map((part) => Number(part ?? 0));
  const [day = 0, hour = 0, minute = 0, second = 0] = rest;
  const millisecond = Number((found[7] ?? '').padEnd(3, '0').slice(0, 3));
  const wall = wallClock([year, month - 1, day, hour, minute, second, millisecond]);
  // The 30th of February and the 25th hour would roll over into another day.
  const isReal =
    year > 0 &&
    hour < 24 &&
    minute < 60 &&
    second < 60 &&
    wall.getUTCMonth() === month - 1 &&
    wall.getUTCDate() === day;
  if (!isReal) return undefined;
  const offset = found[8];
  if (offset === undefined) return { wall, hasTime: found[4] !== undefined };
  const minutes = offsetMinutes(offset);
  return minutes === undefined ? undefined : { at: new Date(wall.getTime() - minutes * 60_000) };
}

function offsetMinutes(offset: string): number | undefined {
  if (offset.toUpperCase() === 'Z') return 0;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(3).replace(':', ''))];
  if (hours > 23 || minutes > 59) return undefined;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** The date and time in a zone. */
export function wallAt(at: Date, zone: string): Date {
  const local = new TZDate(at, zone);
  return wallClock([
    local.getFullYear(),
    local.getMonth(),
    local.getDate(),
    local.getHours(),
    local.getMinutes(),
    local.getSeconds(),
    local.getMilliseconds(),
  ]);
}

type Parts = [
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  ms: number,
];

/** Not by Date.UTC, which takes the years 0 to 99 for those of the last century. */
function wallClock([year, month, day, ...time]: Parts): Date {
  const wall = new Date(0);
  wall.setUTCFullYear(year, month, day);
  wall.setUTCHours(...time);
  return wall;
}
