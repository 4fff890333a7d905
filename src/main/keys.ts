import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import { sealer } from '../kernel/sealer.ts';
import type { Keyring } from '../database/work.ts';
import type { Config } from './config.ts';

/** One secret, a key for each purpose: learning one tells nothing of another. */
const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'rostrum', purpose, 32));

/** Every key the domain works with. */
export function keyring(
  config: Pick<Config, 'ROSTRUM_SECRET'> & Partial<Pick<Config, 'ROSTRUM_SEALING_SECRETS'>>,
): Keyring {
  // Key objects, because every message and every row of a list takes several: 9 µs each instead of 28.
  const addressKey = createSecretKey(deriveKey(config.ROSTRUM_SECRET, 'suppressed addresses'));
  // They are followed for years.
  const macKey = createSecretKey(deriveKey(config.ROSTRUM_SECRET, 'links in messages'));
  const [first = config.ROSTRUM_SECRET, ...older] = config.ROSTRUM_SEALING_SECRETS ?? [];
  const sealerFor = (purpose: string) =>
    sealer([deriveKey(first, purpose), ...older.map((secret) => deriveKey(secret, purpose))]);
  return {
    hashAddress: (address) => createHmac('sha256', addressKey).update(address).digest(),
    stored: sealerFor('stored secrets'),
    tokens: sealerFor('tokens'),
    mac: (purpose, data) => createHmac('sha256', macKey).update(`${purpose}\0`).update(data).digest(),
  };
}
