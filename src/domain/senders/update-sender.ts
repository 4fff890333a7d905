import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { SenderId } from '../../kernel/ids.ts';
import { senderInput } from './sender-input.ts';
import { requireSender, Sender } from './sender.ts';

export const updateSender = defineOperation({
  name: 'update_sender',
  title: 'Update a sender',
  summary: "Change a sender's name or reply-to. Its address is fixed: for another one create a sender.",
  permission: 'settings.write',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['PATCH /v1/senders/:sender_id'] },
  input: z
    .strictObject({
      sender_id: SenderId,
      name: senderInput.name.optional(),
      reply_to: senderInput.reply_to.optional(),
    })
    .refine(
      ({ name, reply_to }) => name !== undefined || reply_to !== undefined,
      'Send name, reply_to or both.',
    ),
  output: z.object({ sender: Sender }),
  handle: async (work, { sender_id, name, reply_to }) => {
    await work.db
      .updateTable('senders')
      .set({
        ...(name !== undefined && { name }),
        ...(reply_to !== undefined && { reply_to }),
        updated_at: work.now,
      })
      .where('org_id', '=', work.org)
      .where('id', '=', sender_id)
      .execute();
    const sender = await requireSender(work, sender_id);
    work.touched['sender_id'] = sender_id;
    return { sender };
  },
});
