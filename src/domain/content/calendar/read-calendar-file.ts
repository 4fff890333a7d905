import type { Database } from '../../../database/pool.ts';
import type { ServiceParts } from '../../../database/service-work.ts';
import type { Work } from '../../../database/work.ts';
import { asService } from '../../orgs/as-service.ts';
import { calendarFile, type CalendarFile } from './calendar-file.ts';
import type { EntryOf } from './calendar-file-url.ts';

/** The file as it is now, with the person's own link if they have one; nothing when the webinar is gone. */
export const readCalendarFile = (
  database: Database,
  parts: ServiceParts,
  { org, webinar, person }: EntryOf,
  asked: { readonly now: Date; readonly requestId: string },
): Promise<CalendarFile | undefined> =>
  asService(database, parts, { ...asked, org, actor: 'calendar' }, async (work) =>
    (await readCalendarFiles(work, webinar, [person])).get(person),
  );

/** The files of many people for one webinar, in one query. */
export async function readCalendarFiles(
  { db, org }: Work,
  webinar: string,
  people: readonly string[],
): Promise<Map<string, CalendarFile>> {
  const rows = await db
    .selectFrom('webinars as w')
    .leftJoin('registrations as r', (join) =>
      join
        .onRef('r.org_id', '=', 'w.org_id')
        .onRef('r.webinar_id', '=', 'w.id')
        .on('r.person_id', 'in', people),
    )
    .select(['w.id', 'w.title', 'w.start_time', 'w.duration_minutes', 'w.join_url', 'w.status'])
    .select(['w.revision', 'w.created_at', 'w.updated_at', 'r.person_id', 'r.join_url as own_url'])
    .where('w.org_id', '=', org)
    .where('w.id', '=', webinar)
    .execute();
  const [found] = rows;
  if (found === undefined) return new Map();
  const ownUrls = new Map(rows.map(({ person_id, own_url }) => [person_id, own_url]));
  return new Map(
    people.map((person) => [
      person,
      calendarFile({
        id: found.id,
        title: found.title,
        start: found.start_time,
        minutes: found.duration_minutes,
        joinUrl: ownUrls.get(person) || found.join_url || null,
        sequence: found.revision - 1,
        changedAt: found.updated_at ?? found.created_at,
        isCanceled: found.status === 'canceled',
      }),
    ]),
  );
}
