import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { PersonId } from '../../kernel/ids.ts';
import { requirePerson } from '../identifiers/require-person.ts';
import { PersonProperty, readProperties } from './person-property.ts';

export const getPersonProperties = defineOperation({
  name: 'get_person_properties',
  title: "Read a person's custom properties",
  summary: 'Every custom property value of a person. A value that was cleared is listed as null.',
  permission: 'people.read',
  effect: 'read',
  faces: { rest: ['GET /v1/people/:person_id/properties'], tool: true },
  input: z.strictObject({ person_id: PersonId }),
  output: z.object({ properties: z.array(PersonProperty) }),
  handle: async (work, { person_id }) => {
    await requirePerson(work, person_id);
    return { properties: await readProperties(work, person_id) };
  },
});
