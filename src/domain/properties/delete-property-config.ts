import { sql } from 'kysely';
import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { PropertyConfigId } from '../../kernel/ids.ts';
import { configNotFound } from './property-config.ts';

const deleting = 7_402_118; // any fixed number that no other lock has

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
    // One at a time: each empties a column of everybody, and two would lock the same rows in different orders.
    await sql`select pg_advisory_xact_lock(${deleting}, hashtext(${work.org}))`.execute(work.db);
    const config = await work.db
      .selectFrom('property_configs')
      .select('id')
      .where('org_id', '=', work.org)
      .where('id', '=', config_id)
      .forUpdate()
      .executeTakeFirst();
    if (config === undefined) throw configNotFound();
    const { numDeletedRows } = await work.db
      .deleteFrom('property_values')
      .where('org_id', '=', work.org)
      .where('config_id', '=', config_id)
      .executeTakeFirst();
    await work.db
      .deleteFrom('property_configs')
      .where('org_id', '=', work.org)
      .where('id', '=', config_id)
      .execute();
    work.touched['config_id'] = config_id;
    return { deleted: true as const, deleted_values: Number(numDeletedRows) };
  },
});
