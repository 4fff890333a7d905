/** Which webinars a list shows. */
export const shows = ['all', 'upcoming', 'live', 'ended', 'draft', 'canceled'] as const;
export type Show = (typeof shows)[number];

export interface ListSearch {
  readonly show?: Show;
  readonly offset?: number;
  /** Whether somebody is making one. */
  readonly make?: boolean;
  /** The month of the calendar, as 2026-11; without it a list is shown. */
  readonly month?: string;
}

const isMonth = (one: unknown): one is string =>
  typeof one === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(one);

const offsetOf = ({ offset }: Record<string, unknown>): { offset?: number } =>
  typeof offset === 'number' && offset > 0 ? { offset } : {};

export const readListSearch = (search: Record<string, unknown>): ListSearch => ({
  ...(shows.includes(search.show as Show) && { show: search.show as Show }),
  ...offsetOf(search),
  ...(search.make === true && { make: true }),
  ...(isMonth(search.month) && { month: search.month }),
});

/** What is asked about a webinar over its page, and whose registrations the page shows. */
export interface WebinarSearch {
  readonly ask?: 'reschedule' | 'register' | 'attendance' | 'change' | 'cancel' | 'delete';
  /** Part of the name or the address of whom somebody looks for. */
  readonly find?: string;
  readonly attended?: boolean;
  readonly offset?: number;
}

const asks = ['reschedule', 'register', 'attendance', 'change', 'cancel', 'delete'];

export const readWebinarSearch = (search: Record<string, unknown>): WebinarSearch => ({
  ...(asks.includes(String(search.ask)) && { ask: search.ask as NonNullable<WebinarSearch['ask']> }),
  ...(typeof search.attended === 'boolean' && { attended: search.attended }),
  ...(typeof search.find === 'string' && search.find !== '' && { find: search.find }),
  ...offsetOf(search),
});
