import { z } from 'zod';
import { SenderId } from '../../../kernel/ids.ts';
import { messageInput } from '../../broadcasts/draft/draft-input.ts';
import type { StepMessage } from '../../broadcasts/sending/mailing.ts';
import { acceptMessage, type AcceptedMessage } from '../shape/accept-message.ts';
import { needsNoWebinar, takesNoTime } from '../shape/empty-parts.ts';
import { findMessageProblems } from '../shape/message-problems.ts';
import { Next, NodeId, required } from '../shape/node-fields.ts';
import { checkProblems, type NodeType } from '../shape/node-type.ts';
import { sendRun, type LiveSend } from '../shape/send-run.ts';

const schema = z.strictObject({
  id: NodeId,
  type: z.literal('send_email'),
  subject: messageInput.subject.optional(),
  preview_text: messageInput.preview_text.optional(),
  html: messageInput.html.optional(),
  variables: messageInput.variables.optional(),
  sender_id: SenderId.optional(),
  next: Next,
});

export const sendEmail: NodeType<typeof schema, AcceptedMessage, LiveSend, 'added'> = {
  type: 'send_email',
  label: 'Send an email',
  fields: {
    subject: { label: 'Subject', kind: 'line' },
    preview_text: { label: 'Preview text', kind: 'line' },
    html: { label: 'Body', kind: 'html' },
    variables: { label: 'Variables', kind: 'variables' },
    sender_id: { label: 'From', kind: 'sender' },
    next: { label: 'Then', kind: 'node' },
  },
  schema,
  edges: [{ field: 'next', needed: true }],
  leastMinutes: takesNoTime,
  webinarPointer: needsNoWebinar,
  senders: ({ sender_id }) => (sender_id === undefined ? [] : [sender_id]),
  // An id in capitals is the same id.
  normalize: (node) =>
    node.sender_id === undefined ? node : { ...node, sender_id: node.sender_id.toLowerCase() as SenderId },
  accept: (work, { subject, preview_text, html, variables }, { webinar, sources, before }) =>
    acceptMessage(
      work,
      { channel: 'email', bodyField: 'html', source: html, lines: { subject, preview_text }, variables },
      {
        webinar,
        sources,
        before: before && { source: before.node.html, body: before.accepted.body ?? null },
      },
    ),
  problems: checkProblems(
    (node, accepted) => ({ message: messageOf(node, accepted), bodyField: 'html' }),
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
  { subject, preview_text, html, sender_id }: z.output<typeof schema>,
  { body, variables }: Partial<AcceptedMessage>,
): StepMessage => ({
  channel: 'email',
  subject: subject ?? null,
  preview_text: preview_text ?? null,
  html: html ?? null,
  message_body: null,
  body: body ?? null,
  variables: variables ?? {},
  sender_id: sender_id ?? null,
});
