import { sql } from 'kysely';
import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { WebinarId } from '../../../kernel/ids.ts';
import { nowOutput } from '../../../kernel/moment.ts';
import { pageInput, pageOutput } from '../../../kernel/page.ts';
import { requireWebinar } from '../../webinars/record/webinar.ts';
import { channels, ListedBroadcast, statuses, toListed } from './broadcast.ts';
import { selectBroadcasts } from './broadcast-rows.ts';

export const listBroadcasts = defineOperation({
  name: 'list_broadcasts',
  title: 'List broadcasts',
  summary: 'Broadcasts, newest first, without their bodies. All filters sent must hold.',
  permission: 'broadcasts.read',
  effect: 'read',
  faces: { rest: ['GET /v1/broadcasts'], tool: true },
  input: z.strictObject({
    status: z.enum(statuses).optional(),
    channel: z.enum(channels).optional(),
    webinar_id: WebinarId.optional(),
    ...pageInput,
  }),
  output: z.object({ broadcasts: z.array(ListedBroadcast), ...pageOutput, ...nowOutput }),
  handle: async (work, { limit, offset, ...filters }) => {
    if (filters.webinar_id !== undefined) await requireWebinar(work, filters.webinar_id);
    let rows = selectBroadcasts(work);
    let counted = work.db
      .selectFrom('broadcasts as b')
      .select(sql<number>`count(*)`.as('total'))
      .where('b.org_id', '=', work.org)
      .where('b.workflow_id', 'is', null);
    for (const [field, value] of Object.entries(filters)) {
      if (value === undefined) continue;
      const column = `b.${field as keyof typeof filters}` as const;
      rows = rows.where(column, '=', value);
      counted = counted.where(column, '=', value);
    }
    const page = rows.orderBy('b.created_at', 'desc').orderBy('b.id', 'desc').limit(limit).offset(offset);
    const { total } = await counted.executeTakeFirstOrThrow();
    return {
      broadcasts: (await page.execute()).map(toListed),
      total,
      limit,
      offset,
      now: work.now.toISOString(),
    };
  },
});
