import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

const Signature = z.object({
  timestamp: z.coerce.string().regex(/^\d{1,12}$/),
  token: z.string().min(1).max(100),
  signature: z.string().regex(/^[0-9a-f]{64}$/),
});

const freshMs = 5 * 60_000;
const mostRemembered = 100_000;

/**
 * Judges signatures. Mailgun signs a time and a token, not the event, so a token counts once: a stolen one could vouch
 * for any event. Tokens are remembered for as long as they are fresh.
 */
export function mailgunSignatures(signingKey: string) {
  const used = new Map<string, number>();
  return {
    judge(raw: unknown, now: Date): 'good' | 'bad' | 'used' {
      const { data } = Signature.safeParse(raw);
      if (data === undefined) return 'bad';
      const { timestamp, token, signature } = data;
      const expected = createHmac('sha256', signingKey).update(timestamp).update(token).digest();
      if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) return 'bad';
      if (Math.abs(now.getTime() - Number(timestamp) * 1000) > freshMs) return 'bad';
      return used.has(token) ? 'used' : 'good';
    },
    /** Call it after the event was acted on: one that failed on our side may come again with the same token. */
    remember(raw: unknown, now: Date): void {
      const { data } = Signature.safeParse(raw);
      if (data === undefined) return;
      for (const [token, until] of used) {
        if (until > now.getTime() && used.size < mostRemembered) break;
        used.delete(token);
      }
      used.set(data.token, now.getTime() + 2 * freshMs);
    },
  };
}
