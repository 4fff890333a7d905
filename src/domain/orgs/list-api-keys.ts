import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { pageInput, pageOutput } from '../../kernel/page.ts';
import { ApiKey, selectKeys, toApiKey } from './listed-key.ts';

export const listKeys = defineOperation({
  name: 'list_api_keys',
  title: 'List API keys',
  summary: 'The API keys of this organization, the newest first, also those that no longer work.',
  permission: 'settings.read',
  effect: 'read',
  faces: { rest: ['GET /v1/api-keys'] },
  input: z.strictObject(pageInput),
  output: z.object({ api_keys: z.array(ApiKey), ...pageOutput }),
  handle: async (work, { limit, offset }) => {
    const { total } = await work.db
      .selectFrom('api_keys')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('org_id', '=', work.org)
      .executeTakeFirstOrThrow();
    const rows = await selectKeys(work)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    return { api_keys: rows.map((row) => toApiKey(row, work)), total: Number(total), limit, offset };
  },
});
