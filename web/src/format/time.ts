const dayMs = 86_400_000;

// Making one takes far longer than using it, and a table of people uses one for every cell.
const made = new Map<string, Intl.DateTimeFormat>();

function parts(moment: Date, zone: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${zone} ${JSON.stringify(options)}`;
  const format = made.get(key) ?? new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options });
  made.set(key, format);
  return format.format(moment);
}

/** Europe/Paris is Paris. */
export const cityOf = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');

/** 14:20 */
export const clockTime = (moment: Date, zone: string): string =>
  parts(moment, zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

const yearOf = (moment: Date, zone: string): string => parts(moment, zone, { year: 'numeric' });

/** 14 Oct, and the year when it is not this one. */
export const day = (moment: Date, zone: string, now: Date): string =>
  parts(moment, zone, {
    day: 'numeric',
    month: 'short',
    ...(yearOf(moment, zone) !== yearOf(now, zone) && { year: 'numeric' }),
  });

/** 14 Oct, 09:12 */
export const moment = (at: Date, zone: string, now: Date): string =>
  `${day(at, zone, now)}, ${clockTime(at, zone)}`;

/** Days by the calendar of a zone, not by 24 hours. */
const daysBetween = (earlier: Date, later: Date, zone: string): number => {
  const dateOf = (at: Date): number =>
    Date.parse(
      parts(at, zone, { year: 'numeric', month: '2-digit', day: '2-digit' })
        .split('/')
        .toReversed()
        .join('-'),
    );
  return Math.round((dateOf(later) - dateOf(earlier)) / dayMs);
};

/** Today, Yesterday, 6 days ago. For what is past only. */
export function ago(at: Date, zone: string, now: Date): string {
  const days = daysBetween(at, now, zone);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return days < 120 ? `${days} days ago` : day(at, zone, now);
}

/** November, of 2026-11. */
export const monthName = (month: string): string =>
  parts(new Date(`${month}-01T00:00:00Z`), 'UTC', { month: 'long' });
/** Thu 19 Nov, 10:00 */
export const weekdayMoment = (at: Date, zone: string, now: Date): string =>
  `${parts(at, zone, { weekday: 'short' })} ${moment(at, zone, now)}`;

/** The same moment as a field of a form writes it: 2026-11-19T10:00 */
export const localOf = (at: Date, zone: string): string => {
  const [date = '', time = ''] = parts(at, zone, {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).split(', ');
  return `${date.split('/').toReversed().join('-')}T${time}`;
};

/** The moment that clocks of a zone show as 2026-11-19T10:00, the later of two where they are turned back. */
export function momentAt(local: string, zone: string): Date | undefined {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  let at = asUtc;
  for (let turn = 0; turn < 2; turn++) at += asUtc - Date.parse(`${localOf(new Date(at), zone)}Z`);
  return new Date(at);
}
