import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';

/**
 * Of two registrations for one webinar the earlier stays. It takes over what is known of attendance from the later
 * where that says more: an API report before a platform's, attended before not.
 */
export async function moveRegistrations(
  { db, org }: Work,
  survivor: PersonId,
  loser: PersonId,
): Promise<void> {
  const known = (registration: string) =>
    sql`(${sql.ref(`${registration}.attendance_source`)} is not null,
      ${sql.ref(`${registration}.attendance_source`)} is not distinct from 'api', ${sql.ref(`${registration}.attended`)})`;
  await sql`
    update registrations r set attended = other.attended, attendance_source = other.attendance_source,
      attendance_at = other.attendance_at
    from registrations other
    where r.org_id = ${org} and other.org_id = ${org} and r.webinar_id = other.webinar_id
      and r.person_id in (${survivor}, ${loser}) and other.person_id in (${survivor}, ${loser})
      and r.person_id <> other.person_id and ${known('other')} > ${known('r')}`.execute(db);
  // The registration that a platform knows has the personal link.
  await sql`
    update registrations r set external_id = other.external_id, join_url = other.join_url,
      push_state = other.push_state, push_link = other.push_link, push_next_at = other.push_next_at, push_error = null
    from registrations other
    where r.org_id = ${org} and other.org_id = ${org} and r.webinar_id = other.webinar_id
      and r.person_id in (${survivor}, ${loser}) and other.person_id in (${survivor}, ${loser})
      and r.person_id <> other.person_id and r.external_id is null and other.external_id is not null`.execute(
    db,
  );
  await sql`
    delete from registrations r using registrations other
    where r.org_id = ${org} and other.org_id = ${org} and r.webinar_id = other.webinar_id
      and r.person_id in (${survivor}, ${loser}) and other.person_id in (${survivor}, ${loser})
      and r.person_id <> other.person_id
      and (r.registered_at, r.id) > (other.registered_at, other.id)`.execute(db);
  await sql`
    update registrations set person_id = ${survivor} where org_id = ${org} and person_id = ${loser}`.execute(
    db,
  );
  // The push of earlier registrants goes by person id and may be past the survivor's, so this marks the registration.
  // Due since the epoch, because pushes go by the service's clock, which not every merge knows.
  await sql`
    update registrations r set push_state = 'pending', push_next_at = 'epoch', push_link = l.id, push_attempts = 0,
      push_error = null, external_id = null, join_url = null
    from platform_links l
    where r.org_id = ${org} and r.person_id = ${survivor} and l.org_id = ${org} and l.webinar_id = r.webinar_id
      and l.push_after is not null and r.push_link is distinct from l.id`.execute(db);
}
