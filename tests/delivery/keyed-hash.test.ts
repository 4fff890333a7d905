import { createHmac, hkdfSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { keyring } from '../../src/main/keys.ts';

const secrets = ['a secret for tests that nobody else has', 'one that was used before it was'] as const;
const keys = keyring({ ROSTRUM_SECRET: secrets.join(',') });

const byNode = (secret: string, text: string): string =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', secret, 'rostrum', 'links in messages', 32)))
    .update(text)
    .digest('hex');

test.each([0, 1, 26, 55, 64, 200, 511, 512, 513, 5_000])(
  'the hash of %d bytes is the HMAC-SHA256 that Node makes, whatever was hashed before',
  (length) => {
    const data = 'ä'.repeat(length / 2) + 'x'.repeat(length % 2);
    expect(keys.mac('purpose', Buffer.from(data)).toString('hex')).toBe(
      byNode(secrets[0], `purpose\0${data}`),
    );
    expect(keys.macs('purpose', Buffer.from(data)).map((mac) => mac.toString('hex'))).toEqual(
      secrets.map((secret) => byNode(secret, `purpose\0${data}`)),
    );
  },
);
