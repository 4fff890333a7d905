import type { Database } from '../../database/pool.ts';
import type { Keyring } from '../../database/work.ts';
import type { AccountParts } from './parts.ts';
import { forgetRecoveryCodes, renewRecoveryCodes } from './recovery-codes.ts';
import type { Session } from './session.ts';
import { placeOf, takeDigits } from './take-code.ts';
import { newTotpSecret } from './totp.ts';

/** A secret for the authenticator app, to be shown now. It protects nothing until a code of it was entered. */
export async function proposeSecret({ transact, keys }: AccountParts, { userId }: Session): Promise<Buffer> {
  const secret = newTotpSecret();
  await transact('write', (db) =>
    db
      .updateTable('auth.users')
      .set({ totp_secret: keys.stored.seal(secret, placeOf(userId)), totp_step: 0 })
      .where('id', '=', userId)
      .where('totp_since', 'is', null)
      .execute(),
  );
  return secret;
}

/** The secret that was proposed, for showing it again after a wrong code; nothing once it protects the account. */
export const proposedSecret = ({ transact, keys }: AccountParts, { userId }: Session) =>
  transact('read', async (db) => {
    const user = await db
      .selectFrom('auth.users')
      .select('totp_secret')
      .where('id', '=', userId)
      .where('totp_since', 'is', null)
      .executeTakeFirst();
    return user?.totp_secret ? keys.stored.open(user.totp_secret, placeOf(userId)) : undefined;
  });

/** Turns the second step on by a code of the proposed secret. Answers with recovery codes. */
export async function turnOn(
  db: Database,
  keys: Keyring,
  userId: string,
  code: string,
  now: Date,
): Promise<string[] | undefined> {
  if (!(await takeDigits(db, keys, userId, code.replaceAll(/\s/g, ''), now))) return undefined;
  const turned = await db
    .updateTable('auth.users')
    .set({ totp_since: now })
    .where('id', '=', userId)
    .where('totp_since', 'is', null)
    .executeTakeFirst();
  return turned.numUpdatedRows > 0n ? renewRecoveryCodes(db, keys, userId) : undefined;
}

export async function turnOff(db: Database, userId: string): Promise<true> {
  await db
    .updateTable('auth.users')
    .set({ totp_secret: null, totp_since: null, totp_step: 0 })
    .where('id', '=', userId)
    .execute();
  await forgetRecoveryCodes(db, userId);
  return true;
}
