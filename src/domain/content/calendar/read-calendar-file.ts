import type { Database } from '../../../database/pool.ts';
import type { ServiceParts } from '../../../database/service-work.ts';
import { asService } from '../../orgs/as-service.ts';
import { calendarFile } from './calendar-file.ts';
import type { EntryOf } from './calendar-file-url.ts';

/** The file as it is now, with the person's own link if they have one; nothing when the webinar is gone. */
export const readCalendarFile = (
  database: Database,
  parts: ServiceParts,
  { org, webinar, person }: EntryOf,
  asked: { readonly now: Date; readonly requestId: string },
): Promise<string | undefined> =>
  asService(database, parts, { ...asked, org, actor: 'calendar' }, async ({ db }) => {
    const found = await db
      .selectFrom('webinars as w')
      .leftJoin('registrations as r', (join) =>
        join
          .onRef('r.org_id', '=', 'w.org_id')
          .onRef('r.webinar_id', '=', 'w.id')
          .on('r.person_id', '=', person),
      )
      .select(['w.id', 'w.title', 'w.start_time', 'w.duration_minutes', 'w.join_url', 'w.status'])
      .select(['w.revision', 'w.created_at', 'w.updated_at', 'r.join_url as own_url'])
      .where('w.org_id', '=', org)
      .where('w.id', '=', webinar)
      .executeTakeFirst();
    if (found === undefined) return undefined;
    return calendarFile({
      id: found.id,
      title: found.title,
      start: found.start_time,
      minutes: found.duration_minutes,
      joinUrl: found.own_url || found.join_url || null,
      sequence: found.revision - 1,
      changedAt: found.updated_at ?? found.created_at,
      isCanceled: found.status === 'canceled',
    });
  });
