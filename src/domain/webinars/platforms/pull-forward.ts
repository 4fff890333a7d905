import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import { atTrigger } from '../../triggers/enroll.ts';
import { wakeBy } from '../../waits/clock.ts';

/**
 * Lets a registration's runs that have not set out yet do so now: what they waited for has come, or never will. The
 * caller shares the webinar's clock, as a release does before it locks waits.
 */
export async function pullForward(work: Work, webinar: string, registration: string): Promise<void> {
  const { db, org, now } = work;
  const { rows } = await sql`
    update waits w set due_at = ${now}, began_at = ${now}
    from workflow_runs r
    where r.org_id = ${org} and r.registration_id = ${registration}
      and w.org_id = ${org} and w.run_id = r.id and w.node = ${atTrigger} and w.due_at > ${now}
    returning 1`.execute(db);
  if (rows.length > 0) await wakeBy(work, webinar, now);
}
