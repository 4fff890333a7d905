import type { PlanInputs } from './plan-inputs.ts';

/** What a reader must know of the counts. */
export function audienceNote({ draft, webinar }: PlanInputs, now: Date): string {
  const always =
    'Counted now. The audience is resolved again when sending starts, and whoever opted out, bounced or complained by then is skipped.';
  if (webinar === undefined || draft.webinar_audience === 'registered') return always;
  const minutes = webinar.duration_minutes ?? 0;
  const over = webinar.start_time.getTime() + minutes * 60_000 <= now.getTime();
  if (over) return always;
  return draft.webinar_audience === 'no_show'
    ? `The webinar is not over: everybody registered counts as a no-show until they attend, so this number will change. ${always}`
    : `The webinar is not over: attendance is still to come, so this number will change. ${always}`;
}
