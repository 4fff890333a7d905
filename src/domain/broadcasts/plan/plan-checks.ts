import { z } from 'zod';
import type { CheckedBody } from '../../content/body/body.ts';
import { layoutProblem } from '../../content/body/layout.ts';
import type { PlanInputs } from './plan-inputs.ts';

export const PlanCheck = z.object({
  level: z.enum(['error', 'warning']),
  code: z.string(),
  message: z.string(),
  count: z.int().optional(),
});
export type PlanCheck = z.infer<typeof PlanCheck>;

const hour = 3_600_000;
export const leastLeadMs = hour;

/** The same moment a year on; on 29 February that is the first of March. */
const inOneYear = (now: Date): Date => {
  const later = new Date(now);
  later.setUTCFullYear(later.getUTCFullYear() + 1);
  return later;
};

/** Checks that keep a broadcast from being scheduled. They run when planning and again when scheduling. */
export function blockingChecks(inputs: PlanInputs, now: Date): PlanCheck[] {
  return [...timeChecks(inputs, now), ...contentChecks(inputs), ...audienceChecks(inputs)];
}

/**
 * Checks that keep a due broadcast from being sent. The allowance does not: recipients beyond it are skipped with that
 * reason.
 */
export const blockingContent = (inputs: PlanInputs): PlanCheck[] =>
  [...contentChecks(inputs), ...audienceChecks(inputs)].filter(({ code }) => code !== 'allowance_used_up');

function* timeChecks({ sendAt: at, timedByWebinar }: PlanInputs, now: Date): Generator<PlanCheck> {
  if (at === undefined) {
    yield timedByWebinar
      ? blocks(
          'webinar_end_unknown',
          'It is timed by the end of the webinar, whose duration_minutes is not known. Give the webinar a duration, or anchor to its start.',
        )
      : blocks('send_at_required', 'Plan with send_at: when should it go out?');
    return;
  }
  if (at.getTime() - now.getTime() < leastLeadMs) {
    yield blocks(
      'send_at_too_soon',
      `It would go out at ${at.toISOString()}, which is less than one hour away. Choose a later time.`,
    );
  }
  if (at > inOneYear(now)) {
    yield blocks(
      'send_at_too_far',
      `It would go out at ${at.toISOString()}, which is more than one year away.`,
    );
  }
}

/** What a message lacks; checked for a broadcast, and for every message of a workflow before it is published. */
export function* contentChecks({
  draft,
  sender,
  layout,
  missing,
  smsNumber,
}: Pick<PlanInputs, 'draft' | 'sender' | 'layout' | 'missing' | 'smsNumber'>): Generator<PlanCheck> {
  if (draft.body === null || showsNothing(draft.body)) {
    const field = draft.channel === 'email' ? 'html' : 'message_body';
    yield blocks('body_missing', `There is nothing to send yet: write ${field}.`);
  }
  for (const name of missing) {
    yield blocks(
      'variable_missing',
      `${name} reads ${draft.variables[name]?.variable}, which is no longer there. Take a path from the variables list.`,
    );
  }
  if (draft.channel === 'sms') {
    if (smsNumber === undefined)
      yield blocks(
        'sms_number_missing',
        'This organization has no number to send texts from, or has not proven it. See sms in the senders list.',
      );
    return;
  }
  if (draft.subject === null || draft.subject.trim() === '')
    yield blocks('subject_missing', 'Write a subject.');
  if (sender === undefined) yield blocks('sender_missing', 'Choose a sender (sender_id): it has none.');
  else if (!sender.ready) {
    yield blocks(
      'sender_domain_unverified',
      `${sender.domain} is not verified. ${sender.not_ready_reason ?? ''}`.trim(),
    );
  }
  const lacking = layoutProblem(layout);
  if (lacking !== undefined) yield blocks('layout_incomplete', lacking);
}

function* audienceChecks({ draft, segment, webinar, allowance }: PlanInputs): Generator<PlanCheck> {
  if (draft.audience === 'segment') {
    if (segment === undefined) yield blocks('segment_invalid', 'The segment is gone. Choose another.');
    else if (segment.errors.length > 0) {
      yield blocks(
        'segment_invalid',
        `The segment ${segment.name} asks about something that is gone: ${segment.errors[0]?.detail}`,
      );
    }
  }
  if (webinar?.status === 'canceled')
    yield blocks('webinar_canceled', `The webinar ${webinar.title} was canceled.`);
  if (allowance?.remaining === 0) {
    yield blocks('allowance_used_up', `All ${allowance.per_month} messages of that month are used up.`);
  }
}

/** No text, no picture and no placeholder: <p></p> is an invisible body. */
const showsNothing = ({ pieces, plain, placeholders }: CheckedBody): boolean =>
  placeholders.length === 0 &&
  !plain.some((piece) => typeof piece === 'string' && /[^\s\p{Cc}\p{Cf}]/u.test(piece)) &&
  !pieces.some((piece) => typeof piece === 'string' && piece.includes('<img'));

const blocks = (code: string, message: string): PlanCheck => ({ level: 'error', code, message });
