/** How much is seeded: the same for each organization, in whichever number they come. */
export interface YearsPlan {
  readonly organizations: number;
  readonly people: number;
  /** Each goes to all people of its organization; so many in each of twelve months. */
  readonly broadcastsAMonth: number;
  /** Events of each person in each month. */
  readonly eventsAMonth: number;
}

export const months = 12;

/** The first days of the last twelve whole months and of this one, the oldest first. */
export const monthsUntil = (now: Date): Date[] =>
  Array.from(
    { length: months + 1 },
    (_, n) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months + n, 1)),
  );
