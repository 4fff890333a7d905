import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';

const soonSeconds = 3_600;

/**
 * Tells the engine of every clock that a leap of the organization's time makes ring, and of those that will ring soon:
 * their alarms were set before the leap, and would come as much too late.
 */
export async function leapClocks({ db, org, now }: Work, to: Date): Promise<void> {
  await sql`
    insert into outbox (org_id, service, handler, payload, created_at)
    select ${org}, 'WaitClock', 'ring', jsonb_build_object('org_id', ${org}::text, 'clock_id', id,
      'at', to_char(next_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), ${now}
    from wait_clocks
    where org_id = ${org} and next_at <= ${to}::timestamptz + make_interval(secs => ${soonSeconds})
    order by next_at`.execute(db);
}
