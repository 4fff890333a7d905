import { z } from 'zod';
import { holdIdlePeople } from '../../database/hold-people.ts';
import { holdOrgLock } from '../../database/locks.ts';
import { addToOutbox } from '../../database/outbox.ts';
import { defineOperation, type Work } from '../../database/work.ts';
import { PropertyConfigId } from '../../kernel/ids.ts';
import { configNotFound } from './property-config.ts';

const mostAtOnce = 2_000; // as many as in a part of a removal

export const deletePropertyConfig = defineOperation({
  name: 'delete_property_config',
  title: 'Delete a property config',
  summary:
    "Delete a custom property and every person's value for it. This cannot be undone. Segments that filter on the key " +
    'stay and match nobody.',
  permission: 'people.write',
  effect: 'destroy',
  faces: { rest: ['DELETE /v1/property-configs/:config_id'], tool: true },
  input: z.strictObject({ config_id: PropertyConfigId }),
  output: z.object({ deleted: z.literal(true), deleted_values: z.int() }),
  handle: async (work, { config_id }) => {
    // One at a time: two that delete values here would lock the same pages in different orders.
    await holdOrgLock(work, 'deleting_property_config');
    const config = await work.db
      .selectFrom('property_configs')
      .select(['type', 'slot'])
      .where('org_id', '=', work.org)
      .where('id', '=', config_id)
      .forUpdate()
      .executeTakeFirst();
    if (config === undefined) throw configNotFound();
    const deleted_values = await countValues(work, config_id);
    if (deleted_values > mostAtOnce || !(await deleteValues(work, config_id)))
      await leaveToEngine(work, config_id, config);
    await work.db
      .deleteFrom('property_configs')
      .where('org_id', '=', work.org)
      .where('id', '=', config_id)
      .execute();
    work.touched['config_id'] = config_id;
    return { deleted: true as const, deleted_values };
  },
});

/** Exact: the config is locked, so every transaction that would write a value for it waits. */
async function countValues({ db, org }: Work, config: PropertyConfigId): Promise<number> {
  const { count } = await db
    .selectFrom('property_values')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', org)
    .where('config_id', '=', config)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Deletes all values, or none if one of the people is busy: whoever writes their values holds them, and may be waiting
 * for the config that is locked here.
 */
async function deleteValues(work: Work, config: PropertyConfigId): Promise<boolean> {
  const { db, org } = work;
  const rows = await db
    .selectFrom('property_values')
    .select('person_id')
    .where('org_id', '=', org)
    .where('config_id', '=', config)
    .execute();
  const ids = rows.map(({ person_id }) => person_id);
  if ((await holdIdlePeople(work, ids, 'alone')).size < ids.length) return false;
  await db.deleteFrom('property_values').where('org_id', '=', org).where('config_id', '=', config).execute();
  return true;
}

/** Values without a config are no longer shown. Their place in the pages stays taken until they are removed. */
async function leaveToEngine(
  work: Work,
  config_id: PropertyConfigId,
  { type, slot }: { readonly type: string; readonly slot: number },
): Promise<void> {
  await work.db
    .insertInto('property_removals')
    .values({ org_id: work.org, config_id, type, slot, run_at: work.caller.now })
    .execute();
  await addToOutbox(work, 'PropertyRemoval', { config_id });
}
