import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Account } from './connector.ts';
import { askZoom, type NoAnswer, type ZoomAnswer } from './zoom-request.ts';

const Granted = z.object({ access_token: z.string().min(1), expires_in: z.number().positive().optional() });

/** A token, or the answer that was no token. */
export type Token = { readonly token: string } | { readonly refused: ZoomAnswer | NoAnswer };

export interface ZoomTokens {
  of(account: Account, now: Date): Promise<Token>;
  /** Zoom did not take this one any more. */
  forget(account: Account, token: string): Promise<void>;
}

const usualSeconds = 3_600;
const marginMs = 60_000;
const mostAccounts = 10_000;

/**
 * Tokens for accounts (grant type account_credentials), each kept until shortly before it ends and asked for once,
 * however many want it at the same moment. They are in memory only. Other credentials are another account, so changing
 * them takes effect at once.
 */
export function zoomTokens(oauthUrl: URL, timeoutMs: number): ZoomTokens {
  const known = new Map<string, { readonly asked: Promise<Token>; until: number }>();

  async function ask(account: Account): Promise<{ token: Token; seconds: number }> {
    const url = new URL('/oauth/token', oauthUrl);
    const secret = Buffer.from(`${account.clientId}:${account.clientSecret}`).toString('base64');
    const answer = await askZoom({
      method: 'POST',
      url,
      headers: { authorization: `Basic ${secret}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'account_credentials',
        account_id: account.accountId,
      }).toString(),
      timeoutMs,
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
      const asking = ask(account);
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
      // Somebody else may have renewed it meanwhile.
      if (kept !== undefined && 'token' in kept && kept.token === token && known.get(key) === found)
        known.delete(key);
    },
  };
}

const keyOf = ({ id, accountId, clientId, clientSecret }: Account): string =>
  createHash('sha256')
    .update(JSON.stringify([id, accountId, clientId, clientSecret]))
    .digest('base64');
