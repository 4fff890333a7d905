import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { BroadcastId } from '../../../kernel/ids.ts';
import { requireBroadcast } from './broadcast-rows.ts';

export const deleteBroadcast = defineOperation({
  name: 'delete_broadcast',
  title: 'Delete a broadcast',
  summary: 'Delete a broadcast that nobody has received any of. A scheduled one will not be sent.',
  permission: 'broadcasts.write',
  effect: 'destroy',
  faces: { rest: ['DELETE /v1/broadcasts/:broadcast_id'] },
  input: z.strictObject({ broadcast_id: BroadcastId }),
  output: z.object({ deleted: z.literal(true), broadcast_id: BroadcastId }),
  handle: async (work, { broadcast_id }) => {
    const { status, sent, uncertain, pending } = await requireBroadcast(work, broadcast_id, 'lock');
    if (sent > 0) {
      throw new Failure(
        'already_received',
        `${sent} people have received this broadcast; it stays on record.`,
      );
    }
    if (uncertain > 0) {
      throw new Failure(
        'already_received',
        `${uncertain} people may have received this broadcast; it stays on record.`,
      );
    }
    if (status === 'sending' || pending > 0) {
      throw new Failure('sending_begun', 'It is being sent at this moment; somebody may receive it.');
    }
    await work.db
      .deleteFrom('deliveries')
      .where('org_id', '=', work.org)
      .where('broadcast_id', '=', broadcast_id)
      .execute();
    await work.db
      .deleteFrom('broadcasts')
      .where('org_id', '=', work.org)
      .where('id', '=', broadcast_id)
      .execute();
    work.touched['broadcast_id'] = broadcast_id;
    return { deleted: true as const, broadcast_id };
  },
});
