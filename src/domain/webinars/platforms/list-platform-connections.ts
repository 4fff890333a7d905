import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { connectionColumns, PlatformConnection, toConnection } from './connection.ts';

export const listPlatformConnections = defineOperation({
  name: 'list_platform_connections',
  title: 'List platform connections',
  summary: 'The accounts at webinar platforms that are connected, and whether the platform turned one away.',
  permission: 'settings.read',
  effect: 'read',
  faces: { rest: ['GET /v1/platform-connections'] },
  input: z.strictObject({}),
  output: z.object({ platform_connections: z.array(PlatformConnection) }),
  handle: async (work) => {
    const rows = await work.db
      .selectFrom('platform_connections')
      .select(connectionColumns)
      .where('org_id', '=', work.org)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return { platform_connections: rows.map((row) => toConnection(work, row)) };
  },
});
