import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import { momentOf } from '../waits/clock.ts';
import type { LiveWait } from './live-graph.ts';

/** What the waits of a webinar's runs are reckoned from. */
export interface WebinarTimes {
  readonly start: Date;
  readonly end: Date;
  /** When they were last brought forward, by the organization's clock: only that puts a wait into the past. */
  readonly movedAt: Date | null;
  readonly isCanceled: boolean;
}

/** The times of a clock's webinar; nothing for the clock of runs without one. */
export async function readTimes({ db, org }: Work, clock: string): Promise<WebinarTimes | undefined> {
  const { rows } = await sql<WebinarTimes>`
    select ${momentOf('start')} as start, ${momentOf('end')} as end, t.moved_at as "movedAt",
      t.status = 'canceled' as "isCanceled"
    from webinars t where t.org_id = ${org} and t.id = ${clock}`.execute(db);
  return rows[0];
}

/** When a wait that begins at a moment ends. Nothing for a moment of a webinar that is not there. */
export function dueAt(wait: LiveWait['for'], began: Date, times: WebinarTimes | undefined): Date | undefined {
  if (typeof wait === 'number') return new Date(began.getTime() + wait);
  if (times === undefined) return undefined;
  return new Date(times[wait.anchor].getTime() + wait.offset_ms);
}
