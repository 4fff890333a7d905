import type { Connector } from '../connector.ts';
import { accessTokens } from '../http/access-tokens.ts';
import { askingWithToken, reportWithoutToken, withoutToken } from '../http/ask-with-token.ts';
import { platformUrl } from '../http/ask.ts';
import { readAdded, readReport, sayingOf } from './answers.ts';

export type ZoomField = 'account_id' | 'client_id' | 'client_secret' | 'webhook_secret_token';

export interface ZoomOptions {
  /** https://api.zoom.us, or a gateway with the same API. Connections cannot name another. */
  readonly apiUrl: string;
  /** https://zoom.us */
  readonly oauthUrl: string;
  readonly timeoutMs?: number | undefined;
}

const pageSize = 300; // the most Zoom allows
const longestName = 64;

/** Webinars at Zoom, called as a server-to-server OAuth app (grant type account_credentials). */
export function connectZoom({ apiUrl, oauthUrl, timeoutMs = 10_000 }: ZoomOptions): Connector<ZoomField> {
  const base = platformUrl(apiUrl, 'Zoom');
  const tokens = accessTokens<ZoomField>({
    url: new URL('/oauth/token', platformUrl(oauthUrl, 'Zoom')),
    timeoutMs,
    client: ({ client_id: id, client_secret: secret }) => ({ id, secret }),
    form: ({ account_id }) => ({ grant_type: 'account_credentials', account_id }),
  });
  const ask = askingWithToken(tokens, timeoutMs);

  return {
    // Zoom identifies a registrant by address and repeats its first answer: the address is the idempotency key.
    pushRegistrant: async ({ account, eventId }, person, _key, now) => {
      const body = {
        email: person.email,
        first_name: person.firstName.slice(0, longestName),
        ...(person.lastName !== undefined && { last_name: person.lastName.slice(0, longestName) }),
      };
      const url = new URL(`/v2/webinars/${encodeURIComponent(eventId)}/registrants`, base);
      const asked = await ask(account, { method: 'POST', url, body: JSON.stringify(body) }, now);
      return 'noToken' in asked ? withoutToken(asked.noToken, sayingOf) : readAdded(asked.answer, now);
    },
    participantsReport: async ({ account, eventId }, cursor, now) => {
      const url = new URL(`/v2/report/webinars/${encodeURIComponent(eventId)}/participants`, base);
      url.searchParams.set('page_size', String(pageSize));
      url.searchParams.set('include_fields', 'registrant_id');
      if (cursor !== undefined) url.searchParams.set('next_page_token', cursor);
      const asked = await ask(account, { method: 'GET', url }, now);
      return 'noToken' in asked ? reportWithoutToken(asked.noToken, sayingOf) : readReport(asked.answer, now);
    },
  };
}
