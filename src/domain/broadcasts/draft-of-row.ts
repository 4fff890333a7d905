import type { CheckedBody } from '../content/body.ts';
import type { Variables } from '../content/definition.ts';
import type { Draft, DraftMessage } from './draft-input.ts';
import type { StoredBroadcast } from './broadcast-rows.ts';

/** What callers wrote of a stored broadcast. */
export const draftOf = (row: StoredBroadcast): Draft => ({
  channel: row.channel as Draft['channel'],
  audience: row.audience as Draft['audience'],
  segment_id: row.segment_id,
  webinar_id: row.webinar_id,
  webinar_audience: row.webinar_audience,
  webinar_offset_minutes: row.webinar_offset_minutes,
  webinar_anchor: row.webinar_anchor,
  subject: row.subject,
  preview_text: row.preview_text,
  html: row.html,
  message_body: row.message_body,
  body: row.body as unknown as CheckedBody | null,
  variables: row.variables as unknown as Variables,
  sender_id: row.sender_id,
  set_aside: row.set_aside as unknown as DraftMessage | null,
});

/** A message before a word of it was written. */
export const emptyMessage: DraftMessage = {
  subject: null,
  preview_text: null,
  html: null,
  message_body: null,
  body: null,
  variables: {},
  sender_id: null,
};

/** A draft before anything was said about it. */
export const emptyDraft: Draft = {
  ...emptyMessage,
  channel: 'email',
  audience: 'everyone',
  segment_id: null,
  webinar_id: null,
  webinar_audience: null,
  webinar_offset_minutes: null,
  webinar_anchor: null,
  set_aside: null,
};
