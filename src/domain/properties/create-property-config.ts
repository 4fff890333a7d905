import { z } from 'zod';
import { holdOrgLock } from '../../database/locks.ts';
import { defineOperation, type Work } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';
import { limits } from '../../kernel/limits.ts';
import { newId } from '../../kernel/ids.ts';
import { isReservedKey, PropertyConfig, PropertyType, toPropertyConfig } from './property-config.ts';

export const mostConfigs = limits.property_configs;

export const createPropertyConfig = defineOperation({
  name: 'create_property_config',
  title: 'Create a property config',
  summary:
    'Define a custom property people can have. Key and type are fixed for good. There is no date type: keep dates as ' +
    'ISO 8601 strings. Use this for facts that are not built-in person fields.',
  permission: 'people.write',
  effect: 'add',
  creates: true,
  faces: { rest: ['POST /v1/property-configs'], tool: true },
  input: z.strictObject({
    key: z
      .string()
      .max(100)
      .regex(
        /^[A-Za-z0-9_]+$/,
        'A key is letters, digits and underscores (and webinar_<outcome>_<session uuid> is reserved).',
      ),
    name: z.string().trim().min(1).max(200),
    type: PropertyType,
    description: z.string().max(2_000).optional(),
  }),
  output: z.object({ property_config: PropertyConfig }),
  handle: async (work, input) => {
    if (isReservedKey(input.key)) {
      throw new Failure('reserved_key', 'Keys of the form webinar_<outcome>_<session uuid> are reserved.');
    }
    if ((await countConfigsAlone(work)) >= mostConfigs) {
      throw new Failure(
        'invalid_request',
        `An organization may have ${mostConfigs} property configs; delete one first. A deleted one may count until its ` +
          'values are gone.',
      );
    }
    const row = await work.db
      .insertInto('property_configs')
      .values({
        org_id: work.org,
        id: newId(work.now),
        key: input.key,
        name: input.name,
        description: input.description ?? null,
        type: input.type,
        created_at: work.now,
      })
      .onConflict((conflict) => conflict.columns(['org_id', 'key']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) throw new Failure('duplicate_key', `The key ${input.key} already has a config.`);
    work.touched['config_id'] = row.id;
    return { property_config: toPropertyConfig(row) };
  },
});

/** Under an exclusive lock: two calls at once would count the same configs and choose the same place for values. */
export async function countConfigsAlone(work: Work): Promise<number> {
  const { db, org } = work;
  await holdOrgLock(work, 'adding_property_config');
  const { count } = await db
    .selectFrom('property_configs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', org)
    .executeTakeFirstOrThrow();
  return count + (await countInTheWay(work));
}

const spare = 4; // a type has 304 places

/** Deleted configs whose values are not gone yet keep their places, and count once no spare ones are left for them. */
export async function countInTheWay({ db, org }: Work): Promise<number> {
  const { count } = await db
    .selectFrom('property_removals')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', org)
    .executeTakeFirstOrThrow();
  return Math.max(0, count - spare);
}
