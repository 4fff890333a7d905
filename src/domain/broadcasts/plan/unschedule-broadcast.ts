import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { BroadcastId } from '../../../kernel/ids.ts';
import { Broadcast, toBroadcast } from '../draft/broadcast.ts';
import { readBroadcast, requireBroadcast } from '../draft/broadcast-rows.ts';
import { failedToBegin } from '../draft/draft-only.ts';

export const unscheduleBroadcast = defineOperation({
  name: 'unschedule_broadcast',
  title: 'Unschedule a broadcast',
  summary:
    'Take a scheduled broadcast back to draft; it will not be sent. Works until sending starts, and for one that failed ' +
    'to start. Its plan is no longer good: to send it after all, plan and schedule it again.',
  permission: 'broadcasts.schedule',
  effect: 'change',
  faces: { rest: ['POST /v1/broadcasts/:broadcast_id/unschedule'], tool: true },
  input: z.strictObject({ broadcast_id: BroadcastId }),
  output: z.object({ broadcast: Broadcast }),
  handle: async (work, { broadcast_id }) => {
    const row = await requireBroadcast(work, broadcast_id, 'lock');
    if (row.status === 'draft') throw new Failure('not_scheduled', 'The broadcast is a draft already.');
    if (row.status !== 'scheduled' && !failedToBegin(row)) {
      throw new Failure('sending_begun', `The broadcast is ${row.status}; it is too late to take it back.`);
    }
    await work.db
      .updateTable('broadcasts')
      .set({
        status: 'draft',
        send_at: null,
        paced_over_hours: null,
        planned_by: null,
        scheduled_by: null,
        scheduled_at: null,
        planned_recipients: null,
        held_at: null,
        held_recipients: null,
        error: null,
        revision: row.revision + 1,
        updated_at: work.now,
      })
      .where('org_id', '=', work.org)
      .where('id', '=', broadcast_id)
      .execute();
    work.touched['broadcast_id'] = broadcast_id;
    return { broadcast: toBroadcast(await readBroadcast(work, broadcast_id)) };
  },
});
