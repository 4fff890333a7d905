import { createHmac } from 'node:crypto';
import { isSameText } from '../../kernel/same-text.ts';

const oldestMs = 300_000; // also how far clocks may be apart

/** Whether Zoom signed these very bytes with a connection's secret token, and not long ago. */
export function isSignedByZoom(
  secret: string,
  { signature, timestamp }: { readonly signature: unknown; readonly timestamp: unknown },
  body: string,
  now: Date,
): boolean {
  if (typeof signature !== 'string' || typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp))
    return false;
  if (Math.abs(now.getTime() - Number(timestamp) * 1_000) > oldestMs) return false;
  return isSameText(signature, `v0=${hmac(secret, `v0:${timestamp}:${body}`)}`);
}

/** What Zoom wants to hear before it trusts an endpoint: its own token, and that under the secret. */
export const provenToken = (secret: string, plainToken: string) => ({
  plainToken,
  encryptedToken: hmac(secret, plainToken),
});

const hmac = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');
