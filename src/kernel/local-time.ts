import { TZDate } from '@date-fns/tz';

const form = /^([1-9]\d{3})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?)?$/i;

/** Whether a text is a date, or a time without a zone, that exists in the calendar. */
export function isLocalTime(text: string): boolean {
  const [, year, month, day, hour = '00', minute = '00', second = '00'] = form.exec(text) ?? [];
  if (year === undefined) return false;
  const whole = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const at = new Date(whole);
  return !Number.isNaN(at.getTime()) && at.toISOString() === whole;
}

/** Such a text as it reads in a zone, with its offset. A date is where its day begins. */
export function withOffset(text: string, zone: string): string {
  const [, year, month, day, hour = 0, minute = 0, second = 0] = form.exec(text)!;
  const [y, m, ...rest] = [year, month, day, hour, minute, second].map(Number) as [number, number];
  const [d, h, min, s] = rest as unknown as [number, number, number, number];
  return new TZDate(y, m - 1, d, h, min, s, zone).toISOString();
}
