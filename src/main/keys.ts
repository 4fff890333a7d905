import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { sealer } from '../kernel/sealer.ts';
import type { Keyring } from '../database/work.ts';
import type { Config } from './config.ts';

/** Derives a key for each purpose from one secret: a leaked key reveals nothing about another. */
const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'rostrum', purpose, 32));

type Secrets = readonly [string, ...string[]];

/** The secrets of a setting: the first signs and seals, and what the others made is still accepted. */
const secretsOf = (setting: string): Secrets =>
  setting.split(',').map((secret) => secret.trim()) as [string, ...string[]];

/** Every key the domain works with. */
export function keyring(
  config: Pick<Config, 'ROSTRUM_SECRET'> & Partial<Pick<Config, 'ROSTRUM_SEALING_SECRETS'>>,
): Keyring {
  const secrets = secretsOf(config.ROSTRUM_SECRET);
  const [first, ...older] = config.ROSTRUM_SEALING_SECRETS ?? secrets;
  const sealerFor = (purpose: string) =>
    sealer([deriveKey(first ?? secrets[0], purpose), ...older.map((secret) => deriveKey(secret, purpose))]);
  // Links in messages are followed for years.
  const [mac, macs] = macsBy(secrets, 'links in messages');
  const [hash, hashes] = macsBy(secrets, 'suppressed addresses');
  return {
    hashAddress: (address) => hash(address),
    hashesOfAddress: (address) => hashes(address),
    stored: sealerFor('stored secrets'),
    tokens: sealerFor('tokens'),
    mac: (purpose, data) => mac(`${purpose}\0`, data),
    macs: (purpose, data) => macs(`${purpose}\0`, data),
  };
}

type Parts = readonly (string | Buffer)[];

/** A keyed hash by the first secret, and by each of them. */
function macsBy(
  secrets: Secrets,
  purpose: string,
): [first: (...parts: Parts) => Buffer, all: (...parts: Parts) => Buffer[]] {
  // Key objects, because every message and every row of a list takes several: 9 µs each instead of 28.
  const keys = secrets.map((secret) => createSecretKey(deriveKey(secret, purpose)));
  const by = (key: KeyObject, parts: Parts): Buffer => {
    const hmac = createHmac('sha256', key);
    for (const part of parts) hmac.update(part);
    return hmac.digest();
  };
  return [(...parts) => by(keys[0]!, parts), (...parts) => keys.map((key) => by(key, parts))];
}
