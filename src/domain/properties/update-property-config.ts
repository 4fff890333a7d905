import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { PropertyConfigId } from '../../kernel/ids.ts';
import { configNotFound, PropertyConfig, toPropertyConfig } from './property-config.ts';

export const updatePropertyConfig = defineOperation({
  name: 'update_property_config',
  title: 'Rename a property config',
  summary: 'Change the name or the description of a custom property. Its key and type cannot change.',
  permission: 'people.write',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['PATCH /v1/property-configs/:config_id'], tool: true },
  input: z
    .strictObject({
      config_id: PropertyConfigId,
      name: z.string().trim().min(1).max(200).optional(),
      description: z.string().max(2_000).nullable().optional(),
    })
    .refine(
      ({ name, description }) => name !== undefined || description !== undefined,
      'Send at least one of name and description.',
    ),
  output: z.object({ property_config: PropertyConfig }),
  handle: async (work, { config_id, name, description }) => {
    const row = await work.db
      .updateTable('property_configs')
      .set({ ...(name !== undefined && { name }), ...(description !== undefined && { description }) })
      .where('org_id', '=', work.org)
      .where('id', '=', config_id)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) throw configNotFound();
    work.touched['config_id'] = config_id;
    return { property_config: toPropertyConfig(row) };
  },
});
