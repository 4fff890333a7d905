import { sql } from 'kysely';
import { addToOutbox } from '../../../database/outbox.ts';
import type { Work } from '../../../database/work.ts';
import { momentOf } from '../../waits/clock.ts';

const minute = 60_000;
const hour = 60 * minute;

/** When the report is read, counted from the webinar's end: platforms go on adding to it for a day. */
const syncsAfterEnd = [30 * minute, 2 * hour, 24 * hour] as const;

/** People missing from the report by then are no longer looked for. */
export const lastTryAfterEnd = 48 * hour;

/**
 * Whether a person in the room at this moment took part in this session. A platform without a report of it yet may
 * answer with the previous session under the same id, and hosts rehearse.
 */
export const isOfSession = (at: Date, start: Date): boolean => at.getTime() >= start.getTime() - 12 * hour;

/** The first reading that is still to come; nothing after the last. */
export const nextSync = (end: Date, now: Date): Date | undefined =>
  syncsAfterEnd.map((after) => new Date(end.getTime() + after)).find((at) => at > now);

/**
 * Plans the readings of a report anew, from the first, after the webinar's end moved; a canceled webinar has none. A
 * reader of the older plan stops.
 */
export async function platformTimesMoved({ db, org }: Work, webinar: string): Promise<void> {
  await sql`
    update platform_links l set sync_ticket = sync_ticket + 1, sync_tries = 0, sync_at =
      case when t.status <> 'canceled' then ${momentOf('end')} + ${syncsAfterEnd[0]} * interval '1 millisecond' end
    from webinars t
    where l.org_id = ${org} and l.webinar_id = ${webinar} and t.org_id = l.org_id and t.id = l.webinar_id`.execute(
    db,
  );
}

/** Tells the engine of every report that is due by a moment; otherwise the sweep does, within a minute. */
export async function tellDueSyncs(work: Work, by: Date): Promise<void> {
  const due = await work.db
    .selectFrom('platform_links')
    .select('webinar_id')
    .where('org_id', '=', work.org)
    .where('sync_at', '<=', by)
    .orderBy('sync_at')
    .execute();
  for (const { webinar_id } of due) {
    await addToOutbox(work, 'AttendanceSync', { sync_webinar_id: webinar_id });
  }
}
