import type { Work } from '../../database/work.ts';
import type { SenderId } from '../../kernel/ids.ts';
import { readSender } from '../senders/sender.ts';
import type { Draft } from './draft-input.ts';
import { emptyMessage } from './draft-of-row.ts';

/** The draft on the channel that was asked for: what it said on the other is set aside, and comes back with it. */
export async function turnChannel(work: Work, draft: Draft, channel = draft.channel): Promise<Draft> {
  if (channel === draft.channel) return draft;
  const { subject, preview_text, html, message_body, body, variables, sender_id } = draft;
  const kept = draft.set_aside ?? emptyMessage;
  // A sender that was deleted meanwhile does not come back; the plan says that it is lacking.
  const sender = kept.sender_id === null ? undefined : await readSender(work, kept.sender_id as SenderId);
  return {
    ...draft,
    ...kept,
    variables: { ...variables, ...kept.variables },
    sender_id: sender?.id ?? null,
    channel,
    set_aside: { subject, preview_text, html, message_body, body, variables, sender_id },
  };
}
