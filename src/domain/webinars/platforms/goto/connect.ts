import type { Connector } from '../connector.ts';
import { accessTokens } from '../http/access-tokens.ts';
import { askingWithToken, reportWithoutToken, withoutToken } from '../http/ask-with-token.ts';
import { platformUrl } from '../http/ask.ts';
import { knownAs, readAttendees, readRegistrant, sayingOf } from './answers.ts';

export type GotoField = 'account_id' | 'client_id' | 'client_secret' | 'refresh_token';

export interface GotoOptions {
  /** https://api.getgo.com, or a gateway with the same API. Connections cannot name another. */
  readonly apiUrl: string;
  /** https://authentication.logmeininc.com */
  readonly oauthUrl: string;
  readonly timeoutMs?: number | undefined;
}

const pageSize = 100;
const longestName = 128;
const noLastName = '-'; // GoTo requires a last name

/** Webinars of one organizer at GoTo Webinar, API version 2, opened by a refresh token. */
export function connectGoto({ apiUrl, oauthUrl, timeoutMs = 10_000 }: GotoOptions): Connector<GotoField> {
  const base = platformUrl(apiUrl, 'GoTo Webinar');
  const tokens = accessTokens<GotoField>({
    url: new URL('/oauth/token', platformUrl(oauthUrl, 'GoTo Webinar')),
    timeoutMs,
    client: ({ client_id: id, client_secret: secret }) => ({ id, secret }),
    form: ({ refresh_token }) => ({ grant_type: 'refresh_token', refresh_token }),
  });
  const ask = askingWithToken(tokens, timeoutMs);
  const addressOf = (organizer: string, webinar: string, ...rest: readonly string[]): URL => {
    const path = ['organizers', organizer, 'webinars', webinar, ...rest].map(encodeURIComponent);
    return new URL(`/G2W/rest/v2/${path.join('/')}`, base);
  };

  return {
    // GoTo identifies a registrant by address: it answers a repeated call with the known key, to ask about.
    pushRegistrant: async ({ account, eventId }, person, _key, now) => {
      const organizer = account.credentials.account_id;
      const url = addressOf(organizer, eventId, 'registrants');
      url.searchParams.set('resendConfirmation', 'false'); // a workflow sends the confirmation
      const body = JSON.stringify({
        email: person.email,
        firstName: person.firstName.slice(0, longestName),
        lastName: (person.lastName ?? noLastName).slice(0, longestName),
      });
      const asked = await ask(account, { method: 'POST', url, body }, now);
      if ('noToken' in asked) return withoutToken(asked.noToken, sayingOf);
      const known = knownAs(asked.answer);
      if (known === undefined) return readRegistrant(asked.answer, now);
      const about = addressOf(organizer, eventId, 'registrants', known);
      const again = await ask(account, { method: 'GET', url: about }, now);
      return 'noToken' in again ? withoutToken(again.noToken, sayingOf) : readRegistrant(again.answer, now);
    },
    participantsReport: async ({ account, eventId }, cursor, now) => {
      const page = Number(cursor ?? 0);
      const url = addressOf(account.credentials.account_id, eventId, 'attendees');
      url.searchParams.set('page', String(page));
      url.searchParams.set('size', String(pageSize));
      const asked = await ask(account, { method: 'GET', url }, now);
      return 'noToken' in asked
        ? reportWithoutToken(asked.noToken, sayingOf)
        : readAttendees(asked.answer, page, now);
    },
  };
}
