import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { BroadcastId } from '../../../kernel/ids.ts';
import { Broadcast, toBroadcast } from './broadcast.ts';
import { readBroadcast } from './broadcast-rows.ts';

export const getBroadcast = defineOperation({
  name: 'get_broadcast',
  title: 'Get a broadcast',
  summary: 'One broadcast with its body and its variables.',
  permission: 'broadcasts.read',
  effect: 'read',
  faces: { rest: ['GET /v1/broadcasts/:broadcast_id'], tool: true },
  input: z.strictObject({ broadcast_id: BroadcastId }),
  output: z.object({ broadcast: Broadcast }),
  handle: async (work, { broadcast_id }) => ({
    broadcast: toBroadcast(await readBroadcast(work, broadcast_id)),
  }),
});
