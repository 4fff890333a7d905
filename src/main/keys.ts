import { hash, hkdfSync } from 'node:crypto';
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
type Mac = (parts: Parts) => Buffer;

/** A keyed hash by the first secret, and by each of them. */
function macsBy(
  secrets: Secrets,
  purpose: string,
): [first: (...parts: Parts) => Buffer, all: (...parts: Parts) => Buffer[]] {
  const macs = secrets.map((secret) => hmacBy(deriveKey(secret, purpose)));
  return [(...parts) => macs[0]!(parts), (...parts) => macs.map((mac) => mac(parts))];
}

const block = 64;
const room = 512;

/**
 * HMAC-SHA256 (RFC 2104) with a key shorter than a block, made of two hashes: every message takes eight and every row of
 * a list one, and Node's own makes two objects for each, 5 µs instead of 2.
 */
function hmacBy(key: Buffer): Mac {
  const padded = (pad: number): Buffer => Buffer.concat([key], block).map((byte) => byte ^ pad) as Buffer;
  const [first, last] = [padded(0x36), Buffer.concat([padded(0x5c)], block + 32)];
  const inner = Buffer.concat([first], block + room);
  const innerHash = (parts: Parts): string => {
    if (parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0) > room)
      return hash(
        'sha256',
        Buffer.concat([first, ...parts.map((part) => Buffer.from(part as string))]),
        'binary',
      );
    let end = block;
    for (const part of parts)
      end += typeof part === 'string' ? inner.write(part, end) : part.copy(inner, end);
    return hash('sha256', inner.subarray(0, end), 'binary');
  };
  return (parts) => {
    last.write(innerHash(parts), block, 'binary');
    return Buffer.from(hash('sha256', last, 'binary'), 'binary');
  };
}
