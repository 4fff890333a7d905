import { z } from 'zod';
import { SegmentId, SenderId, WebinarId } from '../../../kernel/ids.ts';
import type { CheckedBody } from '../../content/body/body.ts';
import { HoldPercent } from '../../orgs/settings.ts';
import { SentVariables, type Variables } from '../../content/variables/definition.ts';
import { audiences, channels, webinarAnchors, webinarAudiences } from './broadcast.ts';

const mostMinutes = 366 * 24 * 60;
const longestBody = 262_144;

/** The fields of a message as callers send them. */
export const messageInput = {
  subject: z
    .string()
    .min(1)
    .max(998)
    .regex(/^[^\r\n]*$/, 'A subject is one line.')
    .describe('Sent exactly as written; takes no variables.'),
  preview_text: z
    .string()
    .max(500)
    .describe('The line an inbox shows beside the subject; takes no variables.'),
  html: z
    .string()
    .max(longestBody)
    .describe(
      'The email body: p, h1 to h3, strong, em, a, ul, ol, li, img, hr, br. Placeholders {{var_x}} in text, ' +
        '{{link_var_x}} as a whole href. <a class="button" href="…"> is shown as a button.',
    ),
  message_body: z.string().max(2_000).describe('The text of an sms broadcast, with placeholders {{var_x}}.'),
  variables: SentVariables.describe('What each placeholder reads, by its name: var_x or link_var_x.'),
};

/** The fields of a draft beside its message. accept-draft checks which of them go together. */
const draftInput = {
  channel: z.enum(channels).describe('Texts (sms) go to the registrants of a webinar only.'),
  audience: z
    .enum(audiences)
    .describe('everyone: every person with an email address; segment: its members when sending starts.'),
  segment_id: SegmentId.describe('With audience segment.'),
  webinar_id: WebinarId.describe('With audience webinar.'),
  webinar_audience: z.enum(webinarAudiences),
  webinar_offset_minutes: z
    .number()
    .min(-mostMinutes)
    .max(mostMinutes)
    .describe('With audience webinar: send so many minutes before the anchor; negative means after it.'),
  webinar_anchor: z.enum(webinarAnchors),
  ...messageInput,
  sender_id: SenderId.describe('From list_senders; email only.'),
  hold_if_audience_changes_by: HoldPercent.nullable().describe(
    'Percent. If the audience differs by more from the planned one when sending should begin, it is held.',
  ),
};

/** Fields of a new draft. There is nothing to clear yet; null turns off what the settings would give. */
export const NewDraft = z.strictObject(draftInput).partial().extend({ audience: draftInput.audience });

/** Fields of a PATCH: those sent change, and null clears a field that may be cleared. */
export const DraftPatch = z.strictObject(draftInput).partial().extend({
  preview_text: draftInput.preview_text.nullable().optional(),
  sender_id: draftInput.sender_id.nullable().optional(),
  webinar_offset_minutes: draftInput.webinar_offset_minutes.nullable().optional(),
});
export type DraftPatch = z.output<typeof DraftPatch>;

/** The message of a broadcast on its channel. */
export interface DraftMessage {
  readonly subject: string | null;
  readonly preview_text: string | null;
  readonly html: string | null;
  readonly message_body: string | null;
  readonly body: CheckedBody | null;
  readonly variables: Variables;
  readonly sender_id: string | null;
}

/** All fields of a broadcast that callers write. */
export interface Draft extends DraftMessage {
  readonly channel: 'email' | 'sms';
  /** `workflow`: of a mailing, which callers never see. */
  readonly audience: 'everyone' | 'segment' | 'webinar' | 'workflow';
  readonly segment_id: string | null;
  readonly webinar_id: string | null;
  readonly webinar_audience: string | null;
  readonly webinar_offset_minutes: number | null;
  readonly webinar_anchor: string | null;
  /** Percent; null: it goes out however the audience changed. */
  readonly hold_if_audience_changes_by: number | null;
  /** Its message on the other channel. */
  readonly set_aside: DraftMessage | null;
}
