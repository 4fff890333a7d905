import type { Account, ReportPage, Retry } from '../connector.ts';
import type { AccessTokens } from './access-tokens.ts';
import { ask, type NoAnswer, type PlatformAnswer, type PlatformRequest } from './ask.ts';

export type Wanted = Pick<PlatformRequest, 'method' | 'url' | 'body'>;
export type Answered =
  | { readonly answer: PlatformAnswer | NoAnswer }
  | { readonly noToken: PlatformAnswer | NoAnswer };

/** Asks with a token. When a 401 says that the token ended early, renews it once. */
export function askingWithToken<Field extends string>(tokens: AccessTokens<Field>, timeoutMs: number) {
  return async function asked(
    account: Account<Field>,
    wanted: Wanted,
    now: Date,
    isRenewed = false,
  ): Promise<Answered> {
    const got = await tokens.of(account, now);
    if ('refused' in got) return { noToken: got.refused };
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${got.token}`,
      ...(wanted.body !== undefined && { 'content-type': 'application/json' }),
    };
    const answer = await ask({ ...wanted, headers, timeoutMs });
    if (answer.status !== 401 || isRenewed) return { answer };
    await tokens.forget(account, got.token);
    return asked(account, wanted, now, true);
  };
}

/** The registrant was never asked about: the token was refused, or no answer came. */
export function withoutToken(
  answer: PlatformAnswer | NoAnswer,
  sayingOf: (answer: PlatformAnswer) => string,
): Retry {
  const status = 'retry';
  if (!('json' in answer)) return { status, about: 'platform', why: answer.why, counted: false };
  const isRefused = answer.status >= 400 && answer.status < 500 && answer.status !== 429;
  const about = isRefused ? 'account' : 'platform';
  return { status, about, why: `no token: ${sayingOf(answer)}`, counted: false };
}

/** The same outcome for a report. */
export function reportWithoutToken(
  answer: PlatformAnswer | NoAnswer,
  sayingOf: (answer: PlatformAnswer) => string,
): ReportPage {
  const { why, about } = withoutToken(answer, sayingOf);
  return { rows: [], final: false, why, ...(about === 'account' && { account: true as const }) };
}
