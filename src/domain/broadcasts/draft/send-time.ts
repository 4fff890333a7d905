interface Timed {
  readonly webinar_offset_minutes: number | null;
  readonly webinar_anchor: string | null;
}

interface Session {
  readonly start_time: Date;
  readonly duration_minutes: number | null;
}

const minute = 60_000;
/** No plan reaches this far. Later years have five digits, which responses cannot express. */
const farthest = Date.parse('9999-12-31T23:59:59.999Z');

/** When a broadcast timed by its webinar goes out: some minutes before the webinar's start or end. */
export function sendTime(
  { webinar_offset_minutes, webinar_anchor }: Timed,
  webinar: Session | undefined,
): { readonly timed: boolean; readonly at: Date | undefined } {
  if (webinar_offset_minutes === null || webinar === undefined) return { timed: false, at: undefined };
  const { start_time, duration_minutes } = webinar;
  if (webinar_anchor === 'end' && duration_minutes === null) return { timed: true, at: undefined };
  const anchor = start_time.getTime() + (webinar_anchor === 'end' ? (duration_minutes ?? 0) * minute : 0);
  const at = Math.round(anchor - webinar_offset_minutes * minute);
  return { timed: true, at: new Date(Math.min(at, farthest)) };
}
