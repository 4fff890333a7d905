import { hkdfSync } from 'node:crypto';

/** One secret, a key for each purpose: learning one tells nothing of another. */
export const deriveKey = (secret: string, purpose: 'suppressed addresses'): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'rostrum', purpose, 32));
