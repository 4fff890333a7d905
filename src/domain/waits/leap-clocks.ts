import { sql } from 'kysely';
import { payloadOf } from '../../database/engine-message.ts';
import { engineMessages } from '../../database/engine-messages.ts';
import { addRowsToOutbox } from '../../database/outbox.ts';
import type { Work } from '../../database/work.ts';

const soonSeconds = 3_600;

/**
 * Tells the engine of every clock that rings because the organization's time leaps, and of those that ring soon: their
 * alarms were set before the leap and would come too late by its length.
 */
export async function leapClocks({ db, org, now }: Work, to: Date): Promise<void> {
  const rows = sql`
    select d.org_id, d.next_at as since, ${payloadOf(engineMessages.WaitClock.due)} as payload from wait_clocks d
    where d.org_id = ${org} and d.next_at <= ${to}::timestamptz + make_interval(secs => ${soonSeconds})`;
  await addRowsToOutbox(db, now, 'WaitClock', rows);
}
