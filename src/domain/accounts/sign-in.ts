import type { Database } from '../../database/pool.ts';
import { forgiveAttempts, takeAttempt, type Attempt } from './attempts.ts';
import type { AccountEmail } from './email.ts';
import { deviceOf } from './known-device.ts';
import { forgetEnded } from './links.ts';
import { noteAct, noteWrongPassword } from './note-act.ts';
import type { AccountParts, MustWait, Opened } from './parts.ts';
import { openSession, type Visitor } from './session.ts';

export interface SignIn {
  readonly email: AccountEmail;
  readonly password: string;
  /** What the browser shows of an earlier sign-in. */
  readonly device?: string | undefined;
  readonly visitor: Visitor;
}

/**
 * Signs in by password. An address without an account takes the same way: it is counted, a password is hashed, and the
 * answer is the same.
 */
export async function signIn(
  parts: AccountParts,
  { email, password, device, visitor }: SignIn,
  now: Date,
): Promise<Opened | MustWait | { kind: 'wrong' }> {
  const { transact, keys, passwords } = parts;
  const known = deviceOf(keys, email, device);
  const attempt: Attempt =
    known === undefined
      ? { kind: 'password by strangers', about: email }
      : { kind: 'password by a known device', about: `${known} ${email}` };
  const { seconds, user } = await transact('write', async (db) => {
    await forgetEnded(db, now);
    return { seconds: await takeAttempt(db, keys, attempt, now), user: await findUser(db, email) };
  });
  if (seconds > 0) return { kind: 'wait', seconds };
  if (!(await passwords.matches(password, user?.password, visitor.address))) {
    await transact('write', (db) => noteWrongPassword(db, { email, address: visitor.address }, now));
    return { kind: 'wrong' };
  }
  return transact('write', async (db) => {
    // Held, so that a new password that is chosen meanwhile ends this session too or lets none come to be.
    const still = await findUser(db, email, 'held');
    if (still === undefined || still.password !== user?.password) return { kind: 'wrong' };
    const awaitsCode = still.totp_since !== null;
    await forgiveAttempts(db, keys, attempt);
    const session = await openSession(db, { id: still.id, awaitsCode }, visitor, now);
    const act = awaitsCode ? 'code_asked' : 'signed_in';
    await noteAct(db, { userId: still.id, act, sessionId: session.id, address: visitor.address }, now);
    return { kind: 'opened', session, email };
  });
}

function findUser(db: Database, email: AccountEmail, how: 'free' | 'held' = 'free') {
  const user = db
    .selectFrom('auth.users')
    .select(['id', 'password', 'totp_since'])
    .where('email', '=', email);
  return (how === 'held' ? user.forUpdate() : user).executeTakeFirst();
}
