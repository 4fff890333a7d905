import { createHmac, randomBytes } from 'node:crypto';
import { isSameText } from '../../kernel/same-text.ts';

// RFC 6238 as every authenticator app speaks it: SHA-1, six digits, thirty seconds.
const periodMs = 30_000;
const digits = 6;
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const newTotpSecret = (): Buffer => randomBytes(20);

/** The period of a time. */
export const stepAt = (now: Date): number => Math.floor(now.getTime() / periodMs);

/** The code of a period (RFC 4226, 5.3). */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const number = mac.readUInt32BE(mac[19]! & 15) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/**
 * The period that a code is of: this one, or a neighbour for clocks that differ. Nothing, if the code is wrong or not
 * after the period a code was last taken of.
 */
export function stepOf(secret: Buffer, code: string, now: Date, lastTaken: number): number | undefined {
  const current = stepAt(now);
  const right = [current - 1, current, current + 1].filter((step) => isSameText(code, codeAt(secret, step)));
  return right.find((step) => step > lastTaken);
}

/** Base32 without padding, in which secrets are typed. */
export function spell(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => letters[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}

/** What an authenticator app reads from the picture. */
export const totpAddress = (secret: Buffer, email: string): string =>
  `otpauth://totp/Rostrum:${encodeURIComponent(email)}?secret=${spell(secret)}&issuer=Rostrum`;
