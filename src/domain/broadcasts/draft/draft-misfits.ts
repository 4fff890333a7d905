import type { FieldError } from '../../../kernel/failure.ts';
import type { Draft, DraftPatch } from './draft-input.ts';

/** Fields that a draft lacks, and sent fields that do not fit it. A typo must not silently reach a send. */
export function misfits(draft: Draft, sent: DraftPatch): FieldError[] {
  const errors: FieldError[] = [];
  if (draft.channel === 'sms' && draft.audience !== 'webinar') {
    errors.push({
      pointer: '/audience',
      code: 'not_for_sms',
      detail: 'A text broadcast goes to the registrants of a webinar only.',
      allowed: ['webinar'],
    });
  }
  // A draft whose segment was deleted accepts other changes: its plan reports the loss.
  if (sent.audience === 'segment' && draft.segment_id === null)
    errors.push(required('segment_id', 'segment'));
  if (draft.audience === 'webinar' && draft.webinar_id === null)
    errors.push(required('webinar_id', 'webinar'));
  for (const [field, fits, needs] of [
    ['segment_id', draft.audience === 'segment', 'audience segment'],
    ['webinar_id', draft.audience === 'webinar', 'audience webinar'],
    ['webinar_audience', draft.audience === 'webinar', 'audience webinar'],
    ['webinar_offset_minutes', draft.audience === 'webinar', 'audience webinar'],
    ['webinar_anchor', draft.audience === 'webinar', 'audience webinar'],
    ['subject', draft.channel === 'email', 'channel email'],
    ['preview_text', draft.channel === 'email', 'channel email'],
    ['html', draft.channel === 'email', 'channel email'],
    ['sender_id', draft.channel === 'email', 'channel email'],
    ['message_body', draft.channel === 'sms', 'channel sms'],
  ] as const) {
    const value = sent[field];
    if (fits || value === undefined || value === null) continue;
    errors.push({ pointer: `/${field}`, code: 'does_not_fit', detail: `${field} goes with ${needs} only.` });
  }
  return errors;
}

const required = (field: string, audience: string): FieldError => ({
  pointer: `/${field}`,
  code: 'required',
  detail: `Audience ${audience} needs ${field}.`,
});
