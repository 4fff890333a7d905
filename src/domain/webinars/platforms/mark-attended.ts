import { sql } from 'kysely';
import { holdPeople } from '../../../database/hold-people.ts';
import type { Work } from '../../../database/work.ts';
import { writeEvents } from '../../timeline/write-events.ts';
import { shareClock } from '../../waits/clock.ts';
import { findWebinar } from '../record/webinar.ts';
import type { ReportRow } from './connector.ts';

export interface Marked {
  /** Registrants whose attendance changed. */
  readonly changed: number;
  /** Rows that match no registrant of the webinar. */
  readonly strangers: number;
}

/**
 * Records the registrants in these rows as attended. Matches a row by the platform's own id, and by address only where
 * the id matches none. What was reported through the API stands. A registrant listed twice, or recorded before, changes
 * nothing. One call takes a page of a report, of any size.
 */
export async function markAttended(work: Work, webinar: string, rows: readonly ReportRow[]): Promise<Marked> {
  const seen = [...new Map(rows.map((row) => [JSON.stringify([row.externalId, row.email]), row])).values()];
  if (seen.length === 0) return { changed: 0, strangers: 0 };
  const matched = await match(work, webinar, seen);
  const people = [...new Set(matched.flatMap(({ person_id }) => (person_id === null ? [] : [person_id])))];
  const strangers = matched.filter(({ person_id }) => person_id === null).length;
  if (people.length === 0) return { changed: 0, strangers };
  // Keeps these people from being merged or deleted until this is written: both lock a person first.
  await holdPeople(work, people, 'staying');
  // Clock before registrations, as in link_webinar: enrolling on the event asks for the clock afterwards.
  await shareClock(work, webinar);
  const { rows: changed } = await sql<{ id: string; person_id: string }>`
    with held as (
      select id from registrations
      where org_id = ${work.org} and webinar_id = ${webinar} and person_id = any(${people}::uuid[])
        and not attended and attendance_source is distinct from 'api'
      order by id for no key update)
    update registrations r set attended = true, attendance_source = 'platform', attendance_at = ${work.now}
    from held where r.org_id = ${work.org} and r.id = held.id
    returning r.id, r.person_id`.execute(work.db);
  if (changed.length === 0) return { changed: 0, strangers };
  const title = (await findWebinar(work, webinar))?.title;
  await writeEvents(
    work,
    changed.map(({ id, person_id }) => ({
      person_id,
      name: '$svc_webinar_attendance',
      custom_properties: { webinar_id: webinar, webinar_title: title, registration_id: id, attended: true },
      occurred_at: work.now,
    })),
  );
  return { changed: changed.length, strangers };
}

/** The person each row is about, or null. */
async function match({ db, org }: Work, webinar: string, seen: readonly ReportRow[]) {
  const { rows } = await sql<{ person_id: string | null }>`
    select coalesce(named.person_id, addressed.person_id) as person_id
    from jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) as s("externalId" text, email text)
    left join lateral (
      select r.person_id from registrations r
      where r.org_id = ${org} and r.webinar_id = ${webinar} and r.external_id = s."externalId"
      limit 1
    ) named on true
    left join lateral (
      select r.person_id from identifiers i
      join registrations r on r.org_id = i.org_id and r.webinar_id = ${webinar} and r.person_id = i.person_id
      where named.person_id is null and i.org_id = ${org} and i.type = 'email' and i.value = s.email
      limit 1
    ) addressed on true`.execute(db);
  return rows;
}
