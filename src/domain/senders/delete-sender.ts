import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { SenderId } from '../../kernel/ids.ts';
import { refuseWhileSending } from '../segments/used-by.ts';
import { senderNotFound } from './sender.ts';
import { refuseWhilePublished } from './used-by-workflow.ts';

export const deleteSender = defineOperation({
  name: 'delete_sender',
  title: 'Delete a sender',
  summary:
    'Remove a sender. Its sending domain stays, with its key and its standing, for other senders. Refused while a ' +
    'broadcast is scheduled with it or a published workflow sends from it.',
  permission: 'settings.write',
  effect: 'destroy',
  faces: { rest: ['DELETE /v1/senders/:sender_id'] },
  input: z.strictObject({ sender_id: SenderId }),
  output: z.object({ deleted: z.literal(true), sender_id: SenderId }),
  handle: async (work, { sender_id }) => {
    const ours = work.db.selectFrom('senders').where('org_id', '=', work.org).where('id', '=', sender_id);
    const held = await ours.select('id').forUpdate().executeTakeFirst();
    if (held === undefined) throw senderNotFound();
    await refuseWhileSending(work, 'sender_id', sender_id);
    await refuseWhilePublished(work, sender_id);
    await work.db.deleteFrom('senders').where('org_id', '=', work.org).where('id', '=', sender_id).execute();
    work.touched['sender_id'] = sender_id;
    return { deleted: true as const, sender_id };
  },
});
