/** What a calendar entry says. */
export interface CalendarEntry {
  readonly title: string;
  readonly start: Date;
  /** Null counts as an hour. */
  readonly minutes: number | null;
  readonly joinUrl: string | null;
}

/** Opens Google Calendar with the entry filled in. Times are UTC, so the reader's own zone decides what is shown. */
export function googleCalendarUrl(entry: CalendarEntry): string {
  const { title, start, end, details } = parts(entry);
  return link('https://calendar.google.com/calendar/render', {
    action: 'TEMPLATE',
    text: title,
    dates: `${compact(start)}/${compact(end)}`,
    details,
  });
}

/** The same for Outlook on the web. */
export function outlookCalendarUrl(entry: CalendarEntry): string {
  const { title, start, end, details } = parts(entry);
  return link('https://outlook.live.com/calendar/0/deeplink/compose', {
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    startdt: toSeconds(start),
    enddt: toSeconds(end),
    body: details,
  });
}

const parts = ({ title, start, minutes, joinUrl }: CalendarEntry) => ({
  title,
  start,
  end: new Date(start.getTime() + (minutes ?? 60) * 60_000),
  details: joinUrl === null ? '' : `Join: ${joinUrl}`,
});

const toSeconds = (at: Date): string => at.toISOString().replace(/\.\d{3}Z$/, 'Z');

const compact = (at: Date): string => toSeconds(at).replaceAll(/[-:]/g, '');

// URLSearchParams writes a space as +, and Outlook shows the + in the title.
const link = (base: string, query: Readonly<Record<string, string>>): string =>
  `${base}?${Object.entries(query)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&')}`;
