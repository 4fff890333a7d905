import { sql } from 'kysely';
import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { WebinarId } from '../../../kernel/ids.ts';
import { readNamedPeople } from '../../people/record/named-people.ts';
import { requireWebinar } from '../record/webinar.ts';
import { Registrant, registrationColumns, toRegistration, type RegistrationRow } from './registration.ts';

/** Registrations that are looked at, newest first, however many there are. */
const looked = 20_000;
const most = 50;

export const findRegistrants = defineOperation({
  name: 'find_registrants',
  title: 'Find registrants of a webinar',
  summary:
    'Registrants by part of their name, email or phone, newest first, at most 50. It looks at the newest 20,000 ' +
    'registrations. A credential without people.read finds nobody.',
  permission: 'webinars.read',
  effect: 'read',
  cost: 'heavy',
  // POST: what is sought is often an address, and addresses do not belong in URLs.
  faces: { rest: ['POST /v1/webinars/:webinar_id/registrations/search'] },
  input: z.strictObject({
    webinar_id: WebinarId,
    query: z.string().trim().min(1).max(200).describe('Part of a name, an email or a phone number.'),
  }),
  output: z.object({ registrations: z.array(Registrant) }),
  handle: async (work, { webinar_id, query }) => {
    await requireWebinar(work, webinar_id);
    if (!work.caller.permissions.has('people.read')) return { registrations: [] };
    const part = `%${query.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    const { rows } = await sql<RegistrationRow>`
      select ${sql.join(registrationColumns.map((name) => sql.ref(`r.${name}`)))} from (
        select ${sql.join(registrationColumns.map((name) => sql.ref(name)))} from registrations
        where org_id = ${work.org} and webinar_id = ${webinar_id}
        order by registered_at desc, id desc limit ${looked}) r
      join people p on p.org_id = ${work.org} and p.id = r.person_id
      where lower(concat_ws(' ', p.first_name, p.last_name)) like ${part}
        or lower(p.primary_email) like ${part} or p.primary_phone like ${part}
      order by r.registered_at desc, r.id desc limit ${most}`.execute(work.db);
    const people = await readNamedPeople(
      work,
      rows.map(({ person_id }) => person_id),
    );
    return {
      registrations: rows.map((row) => ({
        ...toRegistration(row),
        person: people.get(row.person_id) ?? null,
      })),
    };
  },
});
