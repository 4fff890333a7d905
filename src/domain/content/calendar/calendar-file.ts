/** A webinar as a calendar keeps it. */
export interface CalendarEvent {
  readonly id: string;
  readonly title: string;
  readonly start: Date;
  /** Null counts as an hour. */
  readonly minutes: number | null;
  readonly joinUrl: string | null;
  /** Higher with every change: a calendar that has the entry takes the newer one in its place. */
  readonly sequence: number;
  readonly changedAt: Date;
  readonly isCanceled: boolean;
}

export interface CalendarFile {
  readonly text: string;
  /** What it is served and attached as. */
  readonly type: string;
}

/**
 * The entry as a file (RFC 5545). Its UID stays the same however often the webinar moves; that of a canceled one takes
 * the entry out.
 */
export function calendarFile(event: CalendarEvent): CalendarFile {
  const method = event.isCanceled ? 'CANCEL' : 'PUBLISH';
  const end = new Date(event.start.getTime() + (event.minutes ?? 60) * 60_000);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Rostrum//Webinars//EN',
    'CALSCALE:GREGORIAN',
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    `UID:${event.id}@rostrum`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${stamp(event.changedAt)}`,
    `DTSTART:${stamp(event.start)}`,
    `DTEND:${stamp(end)}`,
    `SUMMARY:${text(event.title)}`,
    ...(event.joinUrl === null
      ? []
      : [`DESCRIPTION:${text(`Join: ${event.joinUrl}`)}`, `LOCATION:${text(event.joinUrl)}`]),
    `STATUS:${event.isCanceled ? 'CANCELLED' : 'CONFIRMED'}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return {
    text: lines.map((line) => `${fold(line)}\r\n`).join(''),
    type: `text/calendar; charset=utf-8; method=${method}`,
  };
}

/** In UTC, so that the reader's own zone decides what is shown. */
const stamp = (at: Date): string =>
  at
    .toISOString()
    .replace(/\.\d{3}Z$/, 'Z')
    .replaceAll(/[-:]/g, '');

const text = (value: string): string =>
  value
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n]/gu, ' ')
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');

const longestLine = 75; // octets, without the line break

/** Folds a long line: the next one begins with a space. Never cuts a character of several octets. */
function fold(line: string): string {
  let folded = '';
  let room = longestLine;
  for (const character of line) {
    const octets = Buffer.byteLength(character);
    if (octets > room) {
      folded += '\r\n ';
      room = longestLine - 1;
    }
    folded += character;
    room -= octets;
  }
  return folded;
}
