import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { PropertyConfig, toPropertyConfig } from './property-config.ts';

export const listPropertyConfigs = defineOperation({
  name: 'list_property_configs',
  title: 'List property configs',
  summary: 'Every custom property of the organization: its key, name and type.',
  permission: 'people.read',
  effect: 'read',
  faces: { rest: ['GET /v1/property-configs'], tool: true },
  input: z.strictObject({}),
  output: z.object({ property_configs: z.array(PropertyConfig) }),
  handle: async (work) => {
    const rows = await work.db
      .selectFrom('property_configs')
      .selectAll()
      .where('org_id', '=', work.org)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return { property_configs: rows.map(toPropertyConfig) };
  },
});
