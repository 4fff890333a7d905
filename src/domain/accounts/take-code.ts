import type { Database } from '../../database/pool.ts';
import type { Keyring } from '../../database/work.ts';
import { forgiveAttempts, takeAttempt, type Attempt } from './attempts.ts';
import type { AccountEmail } from './email.ts';
import { deviceOf } from './known-device.ts';
import { noteAct } from './note-act.ts';
import type { MustWait } from './parts.ts';
import { takeRecoveryCode } from './recovery-codes.ts';
import { stepOf } from './totp.ts';

export interface GivenCode {
  readonly userId: string;
  readonly email: string;
  /** Of the authenticator app, or a recovery code. */
  readonly code: string;
  readonly device: string | undefined;
  readonly address: string;
}

/** Takes a code of the second step, which is then used up. Guesses are counted with it. */
export async function takeCode(
  db: Database,
  keys: Keyring,
  { userId, email, code, device, address }: GivenCode,
  now: Date,
): Promise<{ kind: 'right' } | { kind: 'wrong' } | MustWait> {
  const known = deviceOf(keys, email as AccountEmail, device);
  const attempt: Attempt =
    known === undefined
      ? { kind: 'code by strangers', about: userId }
      : { kind: 'code by a known device', about: `${known} ${userId}` };
  await db.selectFrom('auth.users').select('id').where('id', '=', userId).forUpdate().execute();
  const seconds = await takeAttempt(db, keys, attempt, now);
  if (seconds > 0) return { kind: 'wait', seconds };
  const digits = code.replaceAll(/\s/g, '');
  const isDigits = /^\d{6}$/.test(digits);
  const isRight = isDigits
    ? await takeDigits(db, keys, userId, digits, now)
    : await takeRecoveryCode(db, keys, userId, code);
  if (!isRight) {
    await noteAct(db, { userId, act: 'code_wrong', address }, now);
    return { kind: 'wrong' };
  }
  if (!isDigits) await noteAct(db, { userId, act: 'recovery_code_used', address }, now);
  await forgiveAttempts(db, keys, attempt);
  return { kind: 'right' };
}

/** Whether the digits are right and were not taken before. */
export async function takeDigits(
  db: Database,
  keys: Keyring,
  userId: string,
  digits: string,
  now: Date,
): Promise<boolean> {
  const { totp_secret: sealed, totp_step: last } = await db
    .selectFrom('auth.users')
    .select(['totp_secret', 'totp_step'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const secret = sealed && keys.stored.open(sealed, placeOf(userId));
  const step = secret ? stepOf(secret, digits, now, last) : undefined;
  if (step === undefined) return false;
  await db.updateTable('auth.users').set({ totp_step: step }).where('id', '=', userId).execute();
  return true;
}

/** A secret of one user is none of another's. */
export const placeOf = (userId: string): string => `totp of ${userId}`;
