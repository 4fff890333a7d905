import { forgiveAttempts, takeAttempt, type Attempt } from './attempts.ts';
import { noteAct } from './note-act.ts';
import type { AccountParts, MustWait } from './parts.ts';
import type { Session } from './session.ts';

export type Confirmed = { readonly kind: 'right' } | { readonly kind: 'wrong' } | MustWait;

/**
 * Asks for the password once more before something that a found browser must not do. Those who have one guess no faster
 * than strangers.
 */
export async function confirmOwner(
  { transact, keys, passwords }: AccountParts,
  { id: sessionId, userId }: Session,
  given: { readonly password: string; readonly address: string },
  now: Date,
): Promise<Confirmed> {
  const attempt: Attempt = { kind: 'password again', about: userId };
  const { seconds, user } = await transact('write', async (db) => ({
    seconds: await takeAttempt(db, keys, attempt, now),
    user: await db.selectFrom('auth.users').select('password').where('id', '=', userId).executeTakeFirst(),
  }));
  if (seconds > 0) return { kind: 'wait', seconds };
  if (!(await passwords.matches(given.password, user?.password, given.address))) {
    const { address } = given;
    await transact('write', (db) => noteAct(db, { userId, act: 'password_wrong', sessionId, address }, now));
    return { kind: 'wrong' };
  }
  await transact('write', (db) => forgiveAttempts(db, keys, attempt));
  return { kind: 'right' };
}
