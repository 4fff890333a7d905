import { z } from 'zod';
import type { Pushed, ReportPage, ReportRow } from '../connector.ts';
import type { NoAnswer, PlatformAnswer } from '../http/ask.ts';
import { retryAfter } from '../http/retry-after.ts';
import { rowOf, said, saidUrl, withoutAddresses } from '../http/said.ts';
import { nextDay } from '../next-day.ts';

// The token endpoint gives a reason, the others a message.
const Told = z
  .object({ code: z.number().optional().catch(undefined), message: said, reason: said })
  .catch({});
const Added = z.object({ registrant_id: z.string().min(1).max(200), join_url: saidUrl });
const Participant = z.object({ registrant_id: said, user_email: said, leave_time: said, status: said });
const Participants = z.object({
  participants: z.array(Participant.catch({})).catch([]),
  next_page_token: said,
});

/** Reads the answer to a new registrant. */
export function readAdded(answer: PlatformAnswer | NoAnswer, now: Date): Pushed {
  if (!('json' in answer))
    return { status: 'retry', about: 'platform', why: answer.why, counted: answer.reached };
  const added = answer.status < 300 ? Added.safeParse(answer.json) : undefined;
  if (added?.success === true) {
    const { registrant_id: externalId, join_url: joinUrl } = added.data;
    // Where a host approves each registrant, the link follows the approval.
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

/** Reads the answer to a page of the participants report. */
export function readReport(answer: PlatformAnswer | NoAnswer, now: Date): ReportPage {
  const none = { rows: [], final: false } as const;
  if (!('json' in answer)) return { ...none, why: answer.why };
  if (answer.status === 429) return { ...none, why: sayingOf(answer), retryAt: retryAtOf(answer, now) };
  if (isAccount(answer)) return { ...none, why: sayingOf(answer), account: true };
  // 404 with code 3001: Zoom does not know the webinar as past, or has not made its report yet.
  const parsed = answer.status === 200 ? Participants.safeParse(answer.json) : undefined;
  if (parsed?.success !== true) return { ...none, why: sayingOf(answer) };
  const rows = parsed.data.participants.flatMap(toRows);
  const { next_page_token: next } = parsed.data;
  if (next !== undefined && next !== '') return { rows, next, final: false };
  return { rows, final: true };
}

const toRows = ({
  registrant_id: externalId,
  user_email: email,
  leave_time: leftAt,
  status,
}: z.infer<typeof Participant>): ReportRow[] =>
  status === 'in_waiting_room' ? [] : [rowOf({ externalId, email, leftAt })]; // never admitted

// Codes about the account, for any request: scope missing, app gone, no plan with webinars.
const accountCodes = new Set([104, 124, 200, 4_700, 4_711]);

const isAccount = ({ status, json }: PlatformAnswer): boolean =>
  status === 401 || status === 403 || (status === 400 && accountCodes.has(Told.parse(json).code ?? 0));

/** A daily limit, not one per second: it ends at midnight UTC. The headers say so, or only the message. */
const isDaily = ({ headers, json }: PlatformAnswer): boolean =>
  /daily/i.test(headers.get('x-ratelimit-type') ?? '') || /daily/i.test(Told.parse(json).message ?? '');

/** The fallback when Zoom names no moment: tomorrow for a daily limit, else in some seconds. */
const retryAtOf = (answer: PlatformAnswer, now: Date): Date =>
  retryAfter(answer, now) ?? (isDaily(answer) ? nextDay(now) : new Date(now.getTime() + 2_000));

export const sayingOf = ({ status, json }: PlatformAnswer): string => {
  const { code, message, reason } = Told.parse(json);
  return [status, code === status ? undefined : code, withoutAddresses(message ?? reason ?? '')]
    .filter((word) => word !== undefined)
    .join(' ')
    .trim();
};
