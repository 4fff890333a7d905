import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import { recordEvents } from '../../events/record-events.ts';
import { findWebinar } from '../webinar.ts';
import type { ReportRow } from './connector.ts';

export interface Marked {
  /** Whose attendance changed. */
  readonly changed: number;
  /** How many rows are of nobody who is registered here. */
  readonly strangers: number;
}

/**
 * Records as attended whoever of a webinar's registrants is in these rows: found by the platform's own id for them, and
 * only where that says nothing by an address. What was reported through the API stands. Somebody who is in them twice,
 * or was there before, changes nothing. A page of a report is one call of this, whatever its size.
 */
export async function markAttended(work: Work, webinar: string, rows: readonly ReportRow[]): Promise<Marked> {
  const seen = [...new Map(rows.map((row) => [JSON.stringify([row.externalId, row.email]), row])).values()];
  if (seen.length === 0) return { changed: 0, strangers: 0 };
  const matched = await match(work, webinar, seen);
  const people = [...new Set(matched.flatMap(({ person_id }) => (person_id === null ? [] : [person_id])))];
  const strangers = matched.filter(({ person_id }) => person_id === null).length;
  if (people.length === 0) return { changed: 0, strangers };
  // They stay, and stay themselves, until this is written: whoever merges or deletes one holds it first.
  await sql`
    select 1 from people where org_id = ${work.org} and id = any(${people}::uuid[]) order by id for key share`.execute(
    work.db,
  );
  const { rows: changed } = await sql<{ id: string; person_id: string }>`
    update registrations set attended = true, attendance_source = 'platform', attendance_at = ${work.now}
    where org_id = ${work.org} and webinar_id = ${webinar} and person_id = any(${people}::uuid[])
      and not attended and attendance_source is distinct from 'api'
    returning id, person_id`.execute(work.db);
  if (changed.length === 0) return { changed: 0, strangers };
  const title = (await findWebinar(work, webinar))?.title;
  await recordEvents(
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

/** For each row the registrant it is of, or nobody. */
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
