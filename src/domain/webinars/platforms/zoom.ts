import type { Account, Connector, Retry } from './connector.ts';
import { isTokenRefused, readAdded, readReport, sayingOf } from './zoom-answers.ts';
import { askZoom, zoomUrl, type NoAnswer, type ZoomAnswer, type ZoomRequest } from './zoom-request.ts';
import { zoomTokens } from './zoom-token.ts';

export interface ZoomOptions {
  /** https://api.zoom.us, or a gateway that speaks like it. Connections cannot name another. */
  readonly apiUrl: string;
  /** https://zoom.us */
  readonly oauthUrl: string;
  readonly timeoutMs?: number;
}

const pageSize = 300; // the most there is
const longestName = 64;

/** Webinars at Zoom, spoken to as a server-to-server OAuth app. */
export function zoomConnector({ apiUrl, oauthUrl, timeoutMs = 10_000 }: ZoomOptions): Connector {
  const base = zoomUrl(apiUrl);
  const tokens = zoomTokens(zoomUrl(oauthUrl), timeoutMs);

  type Wanted = Pick<ZoomRequest, 'method' | 'url' | 'body'>;
  type Answered = { readonly answer: ZoomAnswer | NoAnswer } | { readonly noToken: ZoomAnswer | NoAnswer };

  /** With a token; one that has ended before its time is renewed, once. */
  async function ask(account: Account, wanted: Wanted, now: Date, isRenewed = false): Promise<Answered> {
    const got = await tokens.of(account, now);
    if ('refused' in got) return { noToken: got.refused };
    const headers = {
      authorization: `Bearer ${got.token}`,
      ...(wanted.body !== undefined && { 'content-type': 'application/json' }),
    };
    const answer = await askZoom({ ...wanted, headers, timeoutMs });
    if (!isTokenRefused(answer) || isRenewed) return { answer };
    await tokens.forget(account, got.token);
    return ask(account, wanted, now, true);
  }

  return {
    // Zoom knows a registrant by the address, and answers a second call as the first: that is its idempotency key.
    pushRegistrant: async ({ account, eventId }, person, _key, now) => {
      const body = {
        email: person.email,
        first_name: person.firstName.slice(0, longestName),
        ...(person.lastName !== undefined && { last_name: person.lastName.slice(0, longestName) }),
      };
      const url = new URL(`/v2/webinars/${encodeURIComponent(eventId)}/registrants`, base);
      const asked = await ask(account, { method: 'POST', url, body: JSON.stringify(body) }, now);
      return 'noToken' in asked ? withoutToken(asked.noToken) : readAdded(asked.answer, now);
    },
    participantsReport: async ({ account, eventId }, cursor, now) => {
      const url = new URL(`/v2/report/webinars/${encodeURIComponent(eventId)}/participants`, base);
      url.searchParams.set('page_size', String(pageSize));
      url.searchParams.set('include_fields', 'registrant_id');
      if (cursor !== undefined) url.searchParams.set('next_page_token', cursor);
      const asked = await ask(account, { method: 'GET', url }, now);
      if ('answer' in asked) return readReport(asked.answer, now);
      const { why, about } = withoutToken(asked.noToken);
      return { rows: [], final: false, why, ...(about === 'account' && { account: true as const }) };
    },
  };
}

/** Nothing was asked about the registrant: the account could not be opened, or nobody answered. */
function withoutToken(answer: ZoomAnswer | NoAnswer): Retry {
  const status = 'retry';
  if (!('json' in answer)) return { status, about: 'platform', why: answer.why, counted: false };
  const isRefused = answer.status >= 400 && answer.status < 500 && answer.status !== 429;
  const about = isRefused ? 'account' : 'platform';
  return { status, about, why: `no token: ${sayingOf(answer)}`, counted: false };
}
