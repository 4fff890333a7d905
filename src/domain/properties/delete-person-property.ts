import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';
import { PersonId } from '../../kernel/ids.ts';
import { requirePerson } from '../identifiers/require-person.ts';
import { requireConfig } from './set-person-property.ts';

export const deletePersonProperty = defineOperation({
  name: 'delete_person_property',
  title: "Remove a person's custom property",
  summary: "Remove one person's value for a custom property. The config stays.",
  permission: 'people.write',
  effect: 'destroy',
  faces: { rest: ['DELETE /v1/people/:person_id/properties/:key'], tool: true },
  input: z.strictObject({ person_id: PersonId, key: z.string().min(1).max(100) }),
  output: z.object({ deleted: z.literal(true), person_id: PersonId, key: z.string() }),
  handle: async (work, { person_id, key }) => {
    await requirePerson(work, person_id, 'lock');
    const config = await requireConfig(work, key);
    const { numDeletedRows } = await work.db
      .deleteFrom('property_values')
      .where('org_id', '=', work.org)
      .where('person_id', '=', person_id)
      .where('config_id', '=', config.id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new Failure('not_found', 'This person has no value for this property.');
    Object.assign(work.touched, { person_id, config_id: config.id });
    return { deleted: true as const, person_id, key: config.key };
  },
});
