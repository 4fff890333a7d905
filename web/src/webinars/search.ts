/** Which webinars a list shows. */
export const shows = ['all', 'upcoming', 'live', 'ended', 'draft', 'canceled'] as const;
export type Show = (typeof shows)[number];

export interface ListSearch {
  readonly show?: Show;
  readonly offset?: number;
  /** Whether somebody is making one. */
  readonly make?: boolean;
}

const offsetOf = ({ offset }: Record<string, unknown>): { offset?: number } =>
  typeof offset === 'number' && offset > 0 ? { offset } : {};

export const readListSearch = (search: Record<string, unknown>): ListSearch => ({
  ...(shows.includes(search.show as Show) && { show: search.show as Show }),
  ...offsetOf(search),
  ...(search.make === true && { make: true }),
});

/** What is asked about a webinar over its page, and whose registrations the page shows. */
export interface WebinarSearch {
  readonly ask?: 'reschedule' | 'register' | 'change' | 'cancel' | 'delete';
  readonly attended?: boolean;
  readonly offset?: number;
}

const asks = ['reschedule', 'register', 'change', 'cancel', 'delete'];

export const readWebinarSearch = (search: Record<string, unknown>): WebinarSearch => ({
  ...(asks.includes(String(search.ask)) && { ask: search.ask as NonNullable<WebinarSearch['ask']> }),
  ...(typeof search.attended === 'boolean' && { attended: search.attended }),
  ...offsetOf(search),
});
