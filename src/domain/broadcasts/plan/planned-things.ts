import { createHmac } from 'node:crypto';
import type { FieldError } from '../../../kernel/failure.ts';
import type { PlanInputs } from './plan-inputs.ts';

/** One input of a plan: a digest that reveals a change, and a few words to name it. */
export type Thing = readonly [digest: string, shown: string];
/** By JSON pointer. */
export type Things = Readonly<Record<string, Thing>>;

const longestShown = 40; // a token carries these, and an assistant has to copy the token
const digestLength = 8; // of base64url: 48 bits

/**
 * Everything that decides what is sent, to whom and when. Whether sending is allowed (a verified domain, an active
 * webinar, an allowance) is not included: that blocks, and is checked separately. The salt is the plan's own and
 * secret, so no caller can prepare two contents with one digest.
 */
export function plannedThings(
  { draft, segment, webinar, sender, smsNumber, layout, zone }: PlanInputs,
  salt: string,
): Things {
  const things: [pointer: string, value: unknown, shown?: string | undefined][] = [
    ['/channel', draft.channel],
    ['/subject', draft.subject],
    ['/preview_text', draft.preview_text],
    ['/html', draft.html, sizeOf(draft.html)],
    ['/message_body', draft.message_body],
    ['/variables', draft.variables, Object.keys(draft.variables).join(', ')],
    ['/audience', draft.audience],
    ['/segment_id', draft.segment_id, segment?.name],
    ['/segment/filters', segment?.filters ?? null, conditionsOf(segment?.filters)],
    ['/webinar_id', draft.webinar_id, webinar?.title],
    ['/webinar_audience', draft.webinar_audience],
    ['/webinar_offset_minutes', draft.webinar_offset_minutes],
    ['/webinar_anchor', draft.webinar_anchor],
    ['/webinar/start_time', webinar?.start_time.toISOString() ?? null],
    ['/webinar/duration_minutes', webinar?.duration_minutes ?? null],
    ['/webinar/title', webinar?.title ?? null],
    ['/webinar/join_url', webinar?.join_url ?? null],
    ['/webinar/timezone', webinar?.timezone ?? null],
    ['/hold_if_audience_changes_by', draft.hold_if_audience_changes_by],
    ['/sender_id', draft.sender_id, sender?.from],
    ['/sender/from', sender?.from ?? null],
    ['/sender/reply_to', sender?.reply_to ?? null],
    ['/sms_number', smsNumber],
    ['/layout', draft.channel === 'email' ? partsOf(layout) : null, layout.company_name ?? 'unnamed'],
    ['/timezone', zone],
  ];
  return Object.fromEntries(
    things
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([pointer, value, shown]) => [pointer, [digestOf(value, salt), cut(shown ?? String(value))]]),
  );
}

/** The first words, and never half of a letter: strict readers of JSON refuse a lone surrogate. */
const cut = (text: string): string => text.slice(0, longestShown).replace(/\p{Surrogate}$/u, '');

/** The inputs that changed, with words for the old and the new value. */
export function driftBetween(before: Things, after: Things): FieldError[] {
  const pointers = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return pointers
    .filter((pointer) => before[pointer]?.[0] !== after[pointer]?.[0])
    .map((pointer) => ({
      pointer,
      code: 'changed',
      detail: `${pointer.slice(1)} was ${inWords(before[pointer])} when planned and is ${inWords(after[pointer])} now.`,
    }));
}

const inWords = (thing: Thing | undefined): string =>
  thing === undefined ? 'not set' : `“${thing[1]}” (${thing[0]})`;

const digestOf = (value: unknown, salt: string): string =>
  createHmac('sha256', salt).update(JSON.stringify(value)).digest('base64url').slice(0, digestLength);

const partsOf = (layout: PlanInputs['layout']) => [
  layout.company_name,
  layout.logo_url,
  layout.logo_alt,
  layout.footer_text,
  layout.postal_address,
  layout.link_color,
  layout.button_color,
];

const sizeOf = (text: string | null): string => (text === null ? '' : `${text.length} characters`);

const conditionsOf = (filters: unknown): string => {
  const count = Array.isArray(filters) ? filters.length : 0;
  return `${count} condition${count === 1 ? '' : 's'}`;
};
