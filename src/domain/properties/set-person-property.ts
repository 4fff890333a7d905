import { z } from 'zod';
import { defineOperation, type Work } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';
import { newId, PersonId } from '../../kernel/ids.ts';
import { requirePerson } from '../identifiers/require-person.ts';
import { PersonProperty, readProperties } from './person-property.ts';
import { findConfigs } from './property-config.ts';
import { mostTextInValue, toColumns } from './property-value.ts';

export const setPersonProperty = defineOperation({
  name: 'set_person_property',
  title: "Set a person's custom property",
  summary:
    'Set one custom property of a person. The key must have a config, and the value must be exactly of its type (a ' +
    'number, not "42"). null clears the value and keeps the row.',
  permission: 'people.write',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['PUT /v1/people/:person_id/properties/:key'], tool: true },
  input: z.strictObject({
    person_id: PersonId,
    key: z.string().min(1).max(100),
    value: z.union([z.string().max(mostTextInValue), z.number(), z.boolean(), z.null()]),
  }),
  output: z.object({ property: PersonProperty }),
  handle: async (work, { person_id, key, value }) => {
    await requirePerson(work, person_id, 'lock');
    const config = await requireConfig(work, key);
    if (value !== null && typeof value !== config.type) {
      const detail = `${config.key} takes a ${config.type}, and nothing that merely looks like one.`;
      throw new Failure('invalid_request', detail, {
        errors: [{ pointer: '/value', code: 'invalid_type', detail, allowed: [config.type] }],
      });
    }
    const columns = toColumns(value);
    const changed_by = newId(work.now);
    await work.db
      .insertInto('property_values')
      .values({
        org_id: work.org,
        person_id,
        config_id: config.id,
        ...columns,
        changed_by,
        created_at: work.now,
      })
      .onConflict((conflict) =>
        conflict.columns(['org_id', 'person_id', 'config_id']).doUpdateSet({ ...columns, changed_by }),
      )
      .execute();
    Object.assign(work.touched, { person_id, config_id: config.id });
    const [property] = await readProperties(work, person_id, config.id);
    return { property: property! };
  },
});

export async function requireConfig(work: Work, key: string) {
  const config = (await findConfigs(work, [key])).get(key);
  if (config === undefined) {
    throw new Failure(
      'not_found',
      'No property config has this key. list_property_configs shows those there are.',
    );
  }
  return config;
}
