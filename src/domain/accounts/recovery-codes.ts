import { randomBytes } from 'node:crypto';
import type { Database } from '../../database/pool.ts';
import type { Keyring } from '../../database/work.ts';
import { spell } from './totp.ts';

const howMany = 10;
const bytesEach = 10; // 16 letters

/** New codes in place of all that a user had. They can be read now and never again. */
export async function renewRecoveryCodes(db: Database, keys: Keyring, userId: string): Promise<string[]> {
  await forgetRecoveryCodes(db, userId);
  const codes = Array.from({ length: howMany }, () => spell(randomBytes(bytesEach)));
  const rows = codes.map((code) => ({
    user_id: userId,
    code_hash: keys.mac('recovery code', dataOf(userId, code)),
  }));
  await db.insertInto('auth.recovery_codes').values(rows).execute();
  return codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, '$1-'));
}

/** Whether the code was one of the user's. It is none any more. */
export async function takeRecoveryCode(
  db: Database,
  keys: Keyring,
  userId: string,
  code: string,
): Promise<boolean> {
  const plain = code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '');
  const taken = await db
    .deleteFrom('auth.recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', 'in', keys.macs('recovery code', dataOf(userId, plain)))
    .executeTakeFirst();
  return taken.numDeletedRows > 0n;
}

export async function forgetRecoveryCodes(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('auth.recovery_codes').where('user_id', '=', userId).execute();
}

export async function countRecoveryCodes(db: Database, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('auth.recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

const dataOf = (userId: string, code: string): Buffer => Buffer.from(`${userId}\0${code}`);
