import { z } from 'zod';
import { isHostile } from '../../../kernel/hostile-text.ts';
import type { Pushed, ReportPage, ReportRow } from './connector.ts';
import type { NoAnswer, ZoomAnswer } from './zoom-request.ts';

// Also nothing that the database refuses: one such row would keep its whole page from being written.
const text = z
  .string()
  .max(2_000)
  .refine((said) => !isHostile(said))
  .optional()
  .catch(undefined);
// The token's answers give a reason, the others a message.
const Told = z
  .object({ code: z.number().optional().catch(undefined), message: text, reason: text })
  .catch({});
const Added = z.object({
  registrant_id: z.string().min(1).max(200),
  join_url: z
    .url({ protocol: /^https?$/ })
    .max(4_000)
    .optional()
    .catch(undefined),
});
const Participant = z.object({
  registrant_id: text,
  user_email: text,
  leave_time: text,
  status: text,
});
const Participants = z.object({
  participants: z.array(Participant.catch({})).catch([]),
  next_page_token: text,
});

/** Whether the token is the reason: Zoom's code 124, or a bare 401. */
export const isTokenRefused = (answer: ZoomAnswer | NoAnswer): boolean => answer.status === 401;

/** What an answer to a new registrant says. */
export function readAdded(answer: ZoomAnswer | NoAnswer, now: Date): Pushed {
  if (!('json' in answer))
    return { status: 'retry', about: 'platform', why: answer.why, counted: answer.reached };
  const added = answer.status < 300 ? Added.safeParse(answer.json) : undefined;
  if (added?.success === true) {
    const { registrant_id: externalId, join_url: joinUrl } = added.data;
    // Where a host approves each registrant there is no link before that.
    return joinUrl === undefined
      ? { status: 'pending', externalId }
      : { status: 'registered', externalId, joinUrl };
  }
  const why = sayingOf(answer);
  if (answer.status === 429) {
    const isTheirs = isDaily(answer) && /registrant/i.test(Told.parse(answer.json).message ?? '');
    const about = isTheirs ? 'registrant' : 'platform';
    return { status: 'retry', about, why, counted: isTheirs, retryAt: retryAtOf(answer, now) };
  }
  if (isAccount(answer)) return { status: 'retry', about: 'account', why, counted: false };
  if (answer.status < 400 || answer.status >= 500)
    return { status: 'retry', about: 'platform', why, counted: true };
  return { status: 'refused', why };
}

/** What an answer to a page of the participants report says. */
export function readReport(answer: ZoomAnswer | NoAnswer, now: Date): ReportPage {
  const none = { rows: [], final: false } as const;
  if (!('json' in answer)) return { ...none, why: answer.why };
  if (answer.status === 429) return { ...none, why: sayingOf(answer), retryAt: retryAtOf(answer, now) };
  if (isAccount(answer)) return { ...none, why: sayingOf(answer), account: true };
  // 404 with code 3001: the webinar is not known as one that took place, or its report is not made yet.
  const parsed = answer.status === 200 ? Participants.safeParse(answer.json) : undefined;
  if (parsed?.success !== true) return { ...none, why: sayingOf(answer) };
  const rows = parsed.data.participants.flatMap(toRow);
  const { next_page_token: next } = parsed.data;
  if (next !== undefined && next !== '') return { rows, next, final: false };
  return { rows, final: true };
}

function toRow({ registrant_id, user_email, leave_time, status }: z.infer<typeof Participant>): ReportRow[] {
  if (status === 'in_waiting_room') return []; // nobody let them in
  const email = user_email?.trim().toLowerCase();
  const leftAt = new Date(leave_time ?? '');
  return [
    {
      ...(registrant_id !== undefined && registrant_id !== '' && { externalId: registrant_id }),
      ...(email !== undefined && email !== '' && { email }),
      ...(!Number.isNaN(leftAt.getTime()) && { leftAt }),
    },
  ];
}

// Of the account, whatever was asked: no such scope, no such app any more, no plan with webinars.
const accountCodes = new Set([104, 124, 200, 4_700, 4_711]);

const isAccount = ({ status, json }: ZoomAnswer): boolean =>
  status === 401 || status === 403 || (status === 400 && accountCodes.has(Told.parse(json).code ?? 0));

/** Of the day, not of the second: it is over at midnight UTC. The headers say so, or the sentence alone. */
const isDaily = ({ headers, json }: ZoomAnswer): boolean =>
  /daily/i.test(headers.get('x-ratelimit-type') ?? '') || /daily/i.test(Told.parse(json).message ?? '');

/** Zoom tells a moment or a number of seconds. Without either: tomorrow for a limit of the day, else in some seconds. */
function retryAtOf(answer: ZoomAnswer, now: Date): Date {
  const told = answer.headers.get('retry-after');
  const seconds = Number(told);
  const moment = told === null || told === '' ? Number.NaN : now.getTime() + seconds * 1_000;
  const at = Number.isNaN(moment) ? Date.parse(told ?? '') : moment;
  const latest = now.getTime() + 2 * 86_400_000;
  if (!Number.isNaN(at)) return new Date(Math.min(Math.max(at, now.getTime() + 1_000), latest));
  return isDaily(answer) ? nextDay(now) : new Date(now.getTime() + 2_000);
}

/** Some minutes after midnight UTC, so that clocks that disagree do no harm. */
export const nextDay = (now: Date): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1, 0, 5));

/** Zoom quotes addresses in its sentences; what is kept of them has none. */
export const sayingOf = ({ status, json }: ZoomAnswer): string => {
  const { code, message, reason } = Told.parse(json);
  const said = (message ?? reason ?? '').replaceAll(/\S+@\S+/g, '…').slice(0, 200);
  return [status, code === status ? undefined : code, said]
    .filter((word) => word !== undefined)
    .join(' ')
    .trim();
};
