import type { CheckedBody } from '../../content/body/body.ts';
import type { Variables } from '../../content/variables/definition.ts';
import type { Draft, DraftMessage } from './draft-input.ts';
import type { StoredBroadcast } from './broadcast-rows.ts';

/** The fields of a stored broadcast that callers write. */
export const draftOf = (row: StoredBroadcast): Draft => ({
  channel: row.channel as Draft['channel'],
  audience: row.audience as Draft['audience'],
  segment_id: row.segment_id,
  webinar_id: row.webinar_id,
  webinar_audience: row.webinar_audience,
  webinar_offset_minutes: row.webinar_offset_minutes,
  webinar_anchor: row.webinar_anchor,
  hold_if_audience_changes_by: row.hold_if_audience_changes_by,
  subject: row.subject,
  preview_text: row.preview_text,
  html: row.html,
  message_body: row.message_body,
  body: row.body as unknown as CheckedBody | null,
  variables: row.variables as unknown as Variables,
  sender_id: row.sender_id,
  set_aside: row.set_aside as unknown as DraftMessage | null,
});

/** A message without content. */
export const emptyMessage: DraftMessage = {
  subject: null,
  preview_text: null,
  html: null,
  message_body: null,
  body: null,
  variables: {},
  sender_id: null,
};

/** The draft that a new broadcast starts from. */
export const emptyDraft: Draft = {
  ...emptyMessage,
  channel: 'email',
  audience: 'everyone',
  segment_id: null,
  webinar_id: null,
  webinar_audience: null,
  webinar_offset_minutes: null,
  webinar_anchor: null,
  hold_if_audience_changes_by: null,
  set_aside: null,
};
