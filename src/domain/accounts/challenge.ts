import { randomBytes } from 'node:crypto';
import type { Database } from '../../database/pool.ts';
import type { Keyring } from '../../database/work.ts';
import { hashToken } from './token.ts';

const goodForMs = 5 * 60_000;
const bodyLength = 24;
const randomLength = 16;

/**
 * What an authenticator is to sign: random bytes, an end, and a keyed hash of both and of what it is for. Asking for one
 * writes nothing, because strangers may ask.
 */
export function newChallenge(keys: Keyring, purpose: string, now: Date): string {
  const body = Buffer.alloc(bodyLength);
  randomBytes(randomLength).copy(body);
  body.writeBigUInt64BE(BigInt(now.getTime() + goodForMs), randomLength);
  return Buffer.concat([body, keys.mac('challenge', dataOf(body, purpose))]).toString('base64url');
}

/** Whether the challenge was made here, for this, is not over, and was not signed before. From now on it was. */
export async function takeChallenge(
  db: Database,
  keys: Keyring,
  { challenge, purpose }: { readonly challenge: string; readonly purpose: string },
  now: Date,
): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url');
  const body = bytes.subarray(0, bodyLength);
  if (body.length < bodyLength || bytes.toString('base64url') !== challenge) return false;
  if (!keys.macs('challenge', dataOf(body, purpose)).some((mac) => mac.equals(bytes.subarray(bodyLength))))
    return false;
  const ends = new Date(Number(body.readBigUInt64BE(randomLength)));
  if (ends <= now) return false;
  const used = await db
    .insertInto('auth.used_challenges')
    .values({ challenge_hash: hashToken(challenge), ends_at: ends })
    .onConflict((again) => again.doNothing())
    .executeTakeFirst();
  return used.numInsertedOrUpdatedRows === 1n;
}

const dataOf = (body: Buffer, purpose: string): Buffer => Buffer.concat([body, Buffer.from(purpose)]);
