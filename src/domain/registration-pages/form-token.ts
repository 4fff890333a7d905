import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../../database/work.ts';

/** Nobody reads a form and fills it in within this time. */
const leastAgeMs = 2_000;
/** Less than the 24 hours for which a used token is remembered as an idempotency key. */
const mostAgeMs = 12 * 3_600_000;

const timeLength = 6;
const onceLength = 12;
const bodyLength = timeLength + onceLength;
const macLength = 16;
const purpose = 'registration form';

/** A token for one form of one page. It holds when it was made, and something that no other has. */
export function formToken(keys: Pick<Keyring, 'mac'>, slug: string, now: Date): string {
  const body = Buffer.alloc(bodyLength);
  body.writeUIntBE(now.getTime(), 0, timeLength);
  randomBytes(onceLength).copy(body, timeLength);
  return Buffer.concat([body, keys.mac(purpose, signed(slug, body)).subarray(0, macLength)]).toString(
    'base64url',
  );
}

export type TokenVerdict = 'good' | 'foreign' | 'too_early' | 'too_old';

/** Judges without a look at the database: what was not made here, for this page, costs a hash. */
export function judgeToken(
  keys: Pick<Keyring, 'macs'>,
  slug: string,
  token: string,
  now: Date,
): TokenVerdict {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== bodyLength + macLength || bytes.toString('base64url') !== token) return 'foreign';
  const body = bytes.subarray(0, bodyLength);
  const mac = bytes.subarray(bodyLength);
  const isOurs = keys
    .macs(purpose, signed(slug, body))
    .some((one) => timingSafeEqual(mac, one.subarray(0, macLength)));
  if (!isOurs) return 'foreign';
  const age = now.getTime() - body.readUIntBE(0, timeLength);
  if (age < leastAgeMs) return 'too_early';
  return age > mostAgeMs ? 'too_old' : 'good';
}

const signed = (slug: string, body: Buffer): Buffer => Buffer.concat([body, Buffer.from(slug)]);
