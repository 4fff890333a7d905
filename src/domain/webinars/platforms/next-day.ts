/** Some minutes after midnight UTC, to allow for clocks that disagree: platforms count calls by UTC days. */
export const nextDay = (now: Date): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1, 0, 5));
