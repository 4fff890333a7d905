import { sql } from 'kysely';
import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { WebinarId } from '../../../kernel/ids.ts';
import { pageInput, pageOutput } from '../../../kernel/page.ts';
import { readNamedPeople } from '../../people/record/named-people.ts';
import { Registrant, registrationColumns, toRegistration } from './registration.ts';
import { requireWebinar } from '../record/webinar.ts';

export const listRegistrations = defineOperation({
  name: 'list_registrations',
  title: 'List the registrations of a webinar',
  summary:
    'Who is registered for a webinar, newest first, and whether they attended; names only with people.read.',
  permission: 'webinars.read',
  effect: 'read',
  faces: { rest: ['GET /v1/webinars/:webinar_id/registrations'], tool: true },
  input: z.strictObject({
    webinar_id: WebinarId,
    attended: z.boolean().optional(),
    ...pageInput,
  }),
  output: z.object({ registrations: z.array(Registrant), ...pageOutput }),
  handle: async (work, { webinar_id, attended, limit, offset }) => {
    await requireWebinar(work, webinar_id);
    let registrations = work.db
      .selectFrom('registrations')
      .where('org_id', '=', work.org)
      .where('webinar_id', '=', webinar_id);
    if (attended !== undefined) registrations = registrations.where('attended', '=', attended);
    const { total } = await registrations.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
    const rows = await registrations
      .select(registrationColumns)
      .orderBy('registered_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    const people = await readNamedPeople(
      work,
      rows.map(({ person_id }) => person_id),
    );
    return {
      registrations: rows.map((row) => ({
        ...toRegistration(row),
        person: people.get(row.person_id) ?? null,
      })),
      total,
      limit,
      offset,
    };
  },
});
