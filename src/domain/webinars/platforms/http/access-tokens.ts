import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Account } from '../connector.ts';
import { ask, type NoAnswer, type PlatformAnswer } from './ask.ts';

const Granted = z.object({ access_token: z.string().min(1), expires_in: z.number().positive().optional() });

/** A token, or the answer that came instead. */
export type Token = { readonly token: string } | { readonly refused: PlatformAnswer | NoAnswer };

export interface AccessTokens<Field extends string> {
  of(account: Account<Field>, now: Date): Promise<Token>;
  /** Drops a token that the platform no longer accepts. */
  forget(account: Account<Field>, token: string): Promise<void>;
}

/** How a platform grants a token for an account (RFC 6749): the endpoint and the grant. */
export interface TokenGrant<Field extends string> {
  readonly url: URL;
  readonly timeoutMs: number;
  client(credentials: Account<Field>['credentials']): { readonly id: string; readonly secret: string };
  form(credentials: Account<Field>['credentials']): Readonly<Record<string, string>>;
}

const usualSeconds = 3_600;
const marginMs = 60_000;
const mostAccounts = 10_000;

/**
 * Tokens for accounts, each kept until shortly before it expires and requested once, however many calls want it at the
 * same moment. They are in memory only. Credentials are part of the key, so changing them takes effect at once.
 */
export function accessTokens<Field extends string>(grant: TokenGrant<Field>): AccessTokens<Field> {
  const known = new Map<string, { readonly asked: Promise<Token>; until: number }>();

  async function askFor({ credentials }: Account<Field>): Promise<{ token: Token; seconds: number }> {
    const { id, secret } = grant.client(credentials);
    const basic = Buffer.from(`${id}:${secret}`).toString('base64');
    const answer = await ask({
      method: 'POST',
      url: grant.url,
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(grant.form(credentials)).toString(),
      timeoutMs: grant.timeoutMs,
    });
    const granted = answer.status === 200 && 'json' in answer ? Granted.safeParse(answer.json) : undefined;
    if (granted?.success !== true) return { token: { refused: answer }, seconds: 0 };
    const { access_token, expires_in = usualSeconds } = granted.data;
    return { token: { token: access_token }, seconds: expires_in };
  }

  return {
    of(account, now) {
      const key = keyOf(account);
      const found = known.get(key);
      if (found !== undefined && now.getTime() < found.until) return found.asked;
      if (known.size >= mostAccounts) known.clear();
      const asking = askFor(account);
      const entry = { asked: asking.then(({ token }) => token), until: Number.POSITIVE_INFINITY };
      known.set(key, entry);
      void asking.then(({ seconds }) => {
        entry.until = now.getTime() + seconds * 1_000 - marginMs;
      });
      return entry.asked;
    },
    async forget(account, token) {
      const key = keyOf(account);
      const found = known.get(key);
      const kept = await found?.asked;
      // Another call may have renewed it meanwhile.
      if (kept !== undefined && 'token' in kept && kept.token === token && known.get(key) === found)
        known.delete(key);
    },
  };
}

const keyOf = ({ id, credentials }: Account): string =>
  createHash('sha256')
    .update(JSON.stringify([id, credentials]))
    .digest('base64');
