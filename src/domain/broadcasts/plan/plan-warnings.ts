import { isForLinks } from '../../content/body/template-syntax.ts';
import type { Rendered } from './render-for.ts';
import type { AudienceCounts } from './count-audience.ts';
import type { PlanCheck } from './plan-checks.ts';
import type { PlanInputs } from './plan-inputs.ts';

/** Gmail cuts a message off near 102 KB and hides the unsubscribe link with the rest. */
const clippedFrom = 95 * 1024;

export interface Observed {
  readonly counts: AudienceCounts;
  readonly rendered: Rendered | undefined;
  readonly sentBefore: Date | undefined;
  readonly sendAtIgnored: boolean;
}

/** Warnings that a person should know before scheduling; they do not block it. */
export function* planWarnings(inputs: PlanInputs, seen: Observed): Generator<PlanCheck> {
  const { draft, allowance } = inputs;
  const { counts, rendered } = seen;
  if (draft.audience === 'everyone') {
    yield warns(
      'everyone',
      'This goes to the whole list: everybody with an email address.',
      counts.recipients,
    );
  }
  if (counts.recipients === 0) yield warns('no_recipients_yet', 'Nobody is in the audience now.');
  if (allowance !== undefined && allowance.remaining > 0 && allowance.remaining < counts.recipients) {
    yield warns(
      'allowance_short',
      `Only ${allowance.remaining} messages are left of that month's ${allowance.per_month}; the rest would not be sent.`,
      counts.recipients - allowance.remaining,
    );
  }
  for (const [name, withValue] of counts.withValue) {
    const without = counts.reachable - withValue;
    if (without > 0 && draft.variables[name]?.fallback === '') {
      yield warns(
        'variable_unresolvable',
        isForLinks(name)
          ? `${without} of those who would get it have no whole address (https://…) for ${name}, and there is no ` +
              'fallback: their link leads nowhere.'
          : `${without} of those who would get it have no value for ${name}, and there is no fallback.`,
        without,
      );
    }
  }
  if ((draft.body?.insecureLinks ?? 0) > 0) {
    yield warns(
      'links_without_https',
      'Some links begin with http: instead of https:.',
      draft.body?.insecureLinks,
    );
  }
  if (rendered !== undefined && rendered.bytes >= clippedFrom && draft.channel === 'email') {
    yield warns(
      'gmail_clipping',
      `The email is ${Math.round(rendered.bytes / 1024)} KB long. Gmail clips from about 102 KB and hides the unsubscribe link.`,
      rendered.bytes,
    );
  }
  if (rendered !== undefined && rendered.segments > 1) {
    yield warns(
      'sms_long',
      `A text this long goes out, and is paid for, as ${rendered.segments} texts.`,
      rendered.segments,
    );
  }
  if (draft.channel === 'sms') yield* textWarnings(inputs);
  if (seen.sentBefore !== undefined) {
    yield warns(
      'sent_before',
      `A broadcast with the same subject and body was sent from ${seen.sentBefore.toISOString()}.`,
    );
  }
  if (seen.sendAtIgnored) {
    yield warns('send_at_ignored', 'It is timed by its webinar: the send_at that was sent has no effect.');
  }
}

/** From 8 in the morning to 9 in the evening: what laws on texts have in common, by the organization's own clock. */
const earliestHour = 8;
const latestHour = 21;

function* textWarnings({ draft, sendAt, zone }: PlanInputs): Generator<PlanCheck> {
  if (sendAt !== undefined && isQuiet(sendAt, zone)) {
    yield warns(
      'sms_quiet_hours',
      `It would go out at ${clockTime(sendAt, zone)} in ${zone}. Texts are best sent between 08:00 and 21:00; in some ` +
        'countries others are forbidden.',
    );
  }
  if (draft.message_body !== null && !/\bstop\b/i.test(draft.message_body)) {
    yield warns(
      'sms_no_stop',
      'The text does not say how to get no more of them. Add a line such as: Reply STOP to end.',
    );
  }
}

const clockTime = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(at);

function isQuiet(at: Date, zone: string): boolean {
  const [hour, minute] = clockTime(at, zone).split(':').map(Number) as [number, number];
  return hour < earliestHour || hour > latestHour || (hour === latestHour && minute > 0);
}

const warns = (code: string, message: string, count?: number): PlanCheck => ({
  level: 'warning',
  code,
  message,
  ...(count !== undefined && { count }),
});
