import { sql } from 'kysely';
import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { PersonId, WebinarId } from '../../../kernel/ids.ts';
import { MomentOut } from '../../../kernel/moment.ts';
import { pageInput, pageOutput } from '../../../kernel/page.ts';
import { requirePerson } from '../../identifiers/require-person.ts';
import { Registration, registrationColumns, toRegistration } from './registration.ts';
import { webinarStatuses } from '../record/webinar-record.ts';

const PersonRegistration = Registration.extend({
  webinar: z.object({
    id: WebinarId,
    title: z.string(),
    start_time: MomentOut,
    status: z.enum(webinarStatuses),
  }),
}).meta({ id: 'PersonRegistration' });

export const listPersonRegistrations = defineOperation({
  name: 'list_person_registrations',
  title: "List a person's registrations",
  summary: 'Which webinars a person is registered for, newest first, and whether they attended.',
  permission: 'people.read',
  effect: 'read',
  faces: { rest: ['GET /v1/people/:person_id/registrations'] },
  input: z.strictObject({ person_id: PersonId, ...pageInput }),
  output: z.object({ registrations: z.array(PersonRegistration), ...pageOutput }),
  handle: async (work, { person_id, limit, offset }) => {
    await requirePerson(work, person_id);
    const registrations = work.db
      .selectFrom('registrations as r')
      .innerJoin('webinars as w', (join) =>
        join.onRef('w.org_id', '=', 'r.org_id').onRef('w.id', '=', 'r.webinar_id'),
      )
      .where('r.org_id', '=', work.org)
      .where('r.person_id', '=', person_id);
    const { total } = await registrations.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
    const rows = await registrations
      .select(registrationColumns.map((column) => `r.${column}` as const))
      .select(['w.id as webinar_id', 'w.title', 'w.start_time', 'w.status'])
      .orderBy('r.registered_at', 'desc')
      .orderBy('r.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    return {
      registrations: rows.map((row) => ({
        ...toRegistration(row),
        webinar: {
          id: row.webinar_id as WebinarId,
          title: row.title,
          start_time: row.start_time.toISOString(),
          status: row.status as (typeof webinarStatuses)[number],
        },
      })),
      total,
      limit,
      offset,
    };
  },
});
