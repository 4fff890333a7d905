import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { PersonId, WebinarId } from '../../../kernel/ids.ts';
import { readNamedPeople } from '../../people/record/named-people.ts';
import { requireWebinar } from '../record/webinar.ts';
import { Registrant, registrationColumns, toRegistration } from './registration.ts';

/* Steps of the export of a webinar's registrants, as those of people are (ADR 90). The face also asks for webinars.read. */
const part = {
  permission: 'people.read',
  faces: { rest: ['GET /v1/webinars/:webinar_id/registrations/export'] },
} as const;

/** Registrations of a step: so each is short. */
const most = 250;

const input = {
  webinar_id: WebinarId,
  attended: z.boolean().optional().describe('Only those who are, or are not, recorded as attended.'),
};

export const beginRegistrationsExport = defineOperation({
  ...part,
  name: 'export_registrations',
  title: 'Export the registrations of a webinar',
  summary: 'Checks the filter of an export and writes down that it was made.',
  effect: 'add',
  evenSuspended: true, // it changes nothing
  cost: 'heavy',
  input: z.strictObject(input),
  output: z.object({}),
  handle: async (work, { webinar_id }) => {
    work.touched['webinar_id'] = (await requireWebinar(work, webinar_id)).id;
    return {};
  },
});

const { person, ...registration } = Registrant.shape;
export const ExportedRegistration = z.object({ ...person.unwrap().shape, ...registration });

/** In the order of people, by the index that keeps them once. */
export const readRegistrationsExport = defineOperation({
  ...part,
  name: 'read_registrations_export',
  title: 'Read part of an export',
  summary: 'The next registrations of an export.',
  effect: 'read',
  cost: 'heavy',
  input: z.strictObject({ filters: z.strictObject(input), after: PersonId.optional() }),
  output: z.object({ rows: z.array(ExportedRegistration), next: PersonId.nullable() }),
  handle: async (work, { filters: { webinar_id, attended }, after }) => {
    const rows = await work.db
      .selectFrom('registrations')
      .select(registrationColumns)
      .where('org_id', '=', work.org)
      .where('webinar_id', '=', webinar_id)
      .$if(attended !== undefined, (query) => query.where('attended', '=', attended!))
      .$if(after !== undefined, (query) => query.where('person_id', '>', after!))
      .orderBy('person_id')
      .limit(most)
      .execute();
    const people = await readNamedPeople(
      work,
      rows.map(({ person_id }) => person_id),
    );
    return {
      rows: rows.map((row) => ({ ...(people.get(row.person_id) ?? noName), ...toRegistration(row) })),
      next: rows.length === most ? (rows.at(-1)!.person_id as PersonId) : null,
    };
  },
});

const noName = { first_name: null, last_name: null, primary_email: null, primary_phone: null };
