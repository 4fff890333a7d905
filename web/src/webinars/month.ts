/** A month is written 2026-11, a day 2026-11-19, both without a zone. */

export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

const firstOf = (month: string): Date => new Date(`${month}-01T00:00:00Z`);

export function monthAfter(month: string, months: number): string {
  const first = firstOf(month);
  first.setUTCMonth(first.getUTCMonth() + months);
  return first.toISOString().slice(0, 7);
}

/** November 2026 */
export const longMonth = (month: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(
    firstOf(month),
  );

export function daysOf(month: string): readonly string[] {
  const after = firstOf(monthAfter(month, 1));
  const count = (after.getTime() - firstOf(month).getTime()) / 86_400_000;
  return Array.from({ length: count }, (_, at) => `${month}-${String(at + 1).padStart(2, '0')}`);
}

/** Weeks from Monday on, with gaps before the first and after the last day. */
export function weeksOf(days: readonly string[]): readonly (readonly (string | undefined)[])[] {
  const before = (new Date(`${days[0]}T00:00:00Z`).getUTCDay() + 6) % 7;
  const places = [...Array.from<undefined>({ length: before }), ...days];
  return Array.from({ length: Math.ceil(places.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_day, at) => places[week * 7 + at]),
  );
}
