import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import { momentOf } from '../../waits/clock.ts';

/** The times from which the waits of a webinar's runs are computed. */
export interface WebinarTimes {
  readonly start: Date;
  readonly end: Date;
  /** When they were last brought forward, by the organization's clock: only that puts a wait into the past. */
  readonly movedAt: Date | null;
  readonly isCanceled: boolean;
}

/** The times of a clock's webinar; undefined for the clock of runs without one. */
export async function readTimes({ db, org }: Work, clock: string): Promise<WebinarTimes | undefined> {
  const { rows } = await sql<WebinarTimes>`
    select ${momentOf('start')} as start, ${momentOf('end')} as end, t.moved_at as "movedAt",
      t.status = 'canceled' as "isCanceled"
    from webinars t where t.org_id = ${org} and t.id = ${clock}`.execute(db);
  return rows[0];
}
