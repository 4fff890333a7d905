import { z } from 'zod';
import type { Pushed, ReportPage, ReportRow, Retry } from '../connector.ts';
import type { NoAnswer, PlatformAnswer } from '../http/ask.ts';
import { retryAfter } from '../http/retry-after.ts';
import { rowOf, said, saidKey, saidUrl, withoutAddresses } from '../http/said.ts';

// The service sends `errorCode` and `description`, its gateway `int_err_code` and `msg`, the token endpoint `error`.
const Told = z
  .object({
    errorCode: said,
    description: said,
    int_err_code: said,
    msg: said,
    error: said,
    error_description: said,
    registrantKey: saidKey,
  })
  .catch({});
const Registrant = z.object({ registrantKey: saidKey, joinUrl: saidUrl, status: said });
const Attendee = z.object({
  registrantKey: saidKey,
  email: said,
  attendance: z.array(z.object({ leaveTime: said }).catch({})).catch([]),
});
const Attendees = z.object({
  _embedded: z
    .object({ attendeeParticipationResponses: z.array(Attendee.catch({ attendance: [] })).catch([]) })
    .catch({ attendeeParticipationResponses: [] }),
  page: z.object({ totalPages: z.int().catch(0) }).catch({ totalPages: 0 }),
});

const mostPages = 1_000;

/** The key of a registrant whom GoTo already knows: it answers 409 with the key and without the link. */
export const knownAs = (answer: PlatformAnswer | NoAnswer): string | undefined =>
  answer.status === 409 && 'json' in answer ? Told.parse(answer.json).registrantKey : undefined;

/** Reads the answer to a new registrant, or to the query about a known one. */
export function readRegistrant(answer: PlatformAnswer | NoAnswer, now: Date): Pushed {
  if (!('json' in answer))
    return { status: 'retry', about: 'platform', why: answer.why, counted: answer.reached };
  const { registrantKey: externalId, joinUrl, status } = (isGood(answer) ? readAs(answer) : undefined) ?? {};
  if (externalId !== undefined && externalId !== '') {
    if (status === 'DENIED') return { status: 'refused', why: 'the organizer denied the registrant' };
    // The host has yet to approve them; a link shown before that opens nothing.
    if (status === 'WAITING' || joinUrl === undefined) return { status: 'pending', externalId };
    return { status: 'registered', externalId, joinUrl };
  }
  return readTrouble(answer, now) ?? { status: 'refused', why: sayingOf(answer) };
}

/** Reads the answer to a page of attendees. Pages are numbered from 0. */
export function readAttendees(answer: PlatformAnswer | NoAnswer, at: number, now: Date): ReportPage {
  const none = { rows: [], final: false } as const;
  if (!('json' in answer)) return { ...none, why: answer.why };
  const parsed = answer.status === 200 ? Attendees.safeParse(answer.json) : undefined;
  if (parsed?.success !== true) {
    const { about, retryAt } = readTrouble(answer, now) ?? {};
    return {
      ...none,
      why: sayingOf(answer),
      ...(about === 'account' && { account: true as const }),
      ...(retryAt !== undefined && { retryAt }),
    };
  }
  const { _embedded: embedded, page } = parsed.data;
  const rows = embedded.attendeeParticipationResponses.flatMap(toRows);
  const next = at + 1;
  return rows.length > 0 && next < Math.min(page.totalPages, mostPages)
    ? { rows, next: String(next), final: false }
    : { rows, final: true };
}

/** One row for each stay in the room; an attendee listed without any gets one row without times. */
const toRows = ({ registrantKey: externalId, email, attendance }: z.infer<typeof Attendee>): ReportRow[] =>
  attendance.length === 0
    ? [rowOf({ externalId, email })]
    : attendance.map(({ leaveTime: leftAt }) => rowOf({ externalId, email, leftAt }));

/** Reads trouble that is not the registrant's: too many calls, the account, or GoTo itself. */
function readTrouble(answer: PlatformAnswer, now: Date): Retry | undefined {
  const retry = { status: 'retry', why: sayingOf(answer) } as const;
  const { status } = answer;
  if (status === 429) {
    const retryAt = retryAfter(answer, now) ?? new Date(now.getTime() + 2_000); // limits are per second
    return { ...retry, about: 'platform', counted: false, retryAt };
  }
  if (status === 401 || status === 403) return { ...retry, about: 'account', counted: false };
  if (status < 400 || status >= 500) return { ...retry, about: 'platform', counted: true };
  return undefined;
}

const isGood = ({ status }: PlatformAnswer): boolean => status >= 200 && status < 300;
const readAs = ({ json }: PlatformAnswer) => Registrant.safeParse(json).data;

export const sayingOf = ({ status, json }: PlatformAnswer): string => {
  const told = Told.parse(json);
  const words = told.description ?? told.msg ?? told.error_description ?? '';
  return [status, told.errorCode ?? told.int_err_code ?? told.error, withoutAddresses(words)]
    .filter((word) => word !== undefined)
    .join(' ')
    .trim();
};
