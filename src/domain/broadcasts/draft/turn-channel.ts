import type { Work } from '../../../database/work.ts';
import type { SenderId } from '../../../kernel/ids.ts';
import { readSender } from '../../senders/sender.ts';
import type { Draft } from './draft-input.ts';
import { emptyMessage } from './draft-of-row.ts';

/** Switches a draft to another channel: its message on the old one is set aside, and returns with a switch back. */
export async function turnChannel(work: Work, draft: Draft, channel = draft.channel): Promise<Draft> {
  if (channel === draft.channel) return draft;
  const { subject, preview_text, html, message_body, body, variables, sender_id } = draft;
  const kept = draft.set_aside ?? emptyMessage;
  // A sender deleted meanwhile is not restored; the plan reports it missing.
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
