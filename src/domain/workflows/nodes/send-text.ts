import { z } from 'zod';
import { messageInput } from '../../broadcasts/draft/draft-input.ts';
import type { StepMessage } from '../../broadcasts/sending/mailing.ts';
import { acceptMessage, type AcceptedMessage } from '../shape/accept-message.ts';
import { asWritten, needsNoWebinar, noSenders, takesNoTime } from '../shape/empty-parts.ts';
import { findMessageProblems } from '../shape/message-problems.ts';
import { Next, NodeId, required } from '../shape/node-fields.ts';
import { checkProblems, type NodeType } from '../shape/node-type.ts';
import { sendRun, type LiveSend } from '../shape/send-run.ts';

const schema = z.strictObject({
  id: NodeId,
  type: z.literal('send_text'),
  message_body: messageInput.message_body.optional(),
  variables: messageInput.variables.optional(),
  next: Next,
});

export const sendText: NodeType<typeof schema, AcceptedMessage, LiveSend, 'added'> = {
  type: 'send_text',
  label: 'Send a text',
  fields: {
    message_body: { label: 'Text', kind: 'text' },
    variables: { label: 'Variables', kind: 'variables' },
    next: { label: 'Then', kind: 'node' },
  },
  schema,
  edges: [{ field: 'next', needed: true }],
  leastMinutes: takesNoTime,
  webinarPointer: needsNoWebinar,
  senders: noSenders,
  normalize: asWritten,
  accept: (work, { message_body, variables }, { webinar, sources, before }) =>
    acceptMessage(
      work,
      { channel: 'sms', bodyField: 'message_body', source: message_body, lines: {}, variables },
      {
        webinar,
        sources,
        before: before && { source: before.node.message_body, body: before.accepted.body ?? null },
      },
    ),
  problems: checkProblems(
    (node, accepted) => ({ message: messageOf(node, accepted), bodyField: 'message_body' }),
    findMessageProblems,
  ),
  compile: (node, accepted) => ({
    type: 'send',
    message: messageOf(node, accepted),
    next: required(node.next),
  }),
  run: sendRun,
};

/** The message as a broadcast's row stores it. */
const messageOf = (
  { message_body }: z.output<typeof schema>,
  { body, variables }: Partial<AcceptedMessage>,
): StepMessage => ({
  channel: 'sms',
  subject: null,
  preview_text: null,
  html: null,
  message_body: message_body ?? null,
  body: body ?? null,
  variables: variables ?? {},
  sender_id: null,
});
