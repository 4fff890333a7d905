import type { Database } from '../../database/pool.ts';
import { newId } from '../../kernel/ids.ts';
import { forgiveAttempts } from './attempts.ts';
import { holdLinks, readLink, takeLink, type Link } from './links.ts';
import { noteAct } from './note-act.ts';
import { whyNotPassword } from './password-rules.ts';
import type { AccountParts, Opened } from './parts.ts';
import { endSessions, openSession, type Visitor } from './session.ts';

/** A link that was used, is over, or never was. */
export interface GoneLink {
  readonly kind: 'gone';
}
export interface RefusedPassword {
  readonly kind: 'refused';
  readonly why: string;
}

/**
 * Chooses a password by a link: it makes the account, or ends every session and link of one that is there. Whoever has the
 * mail of an address is its owner, so whatever was guessed before is forgiven.
 */
export async function choosePassword(
  { transact, keys, passwords }: AccountParts,
  {
    token,
    password,
    visitor,
  }: { readonly token: string; readonly password: string; readonly visitor: Visitor },
  now: Date,
): Promise<(Opened & { readonly made: boolean }) | GoneLink | RefusedPassword> {
  const seen = await transact('read', (db) => readLink(db, token, now));
  if (seen === undefined || seen.purpose === 'sign_in') return { kind: 'gone' };
  const why = await whyNotPassword(password, seen.email);
  if (why !== undefined) return { kind: 'refused', why };
  const hash = await passwords.hash(password, visitor.address);
  return transact('write', async (db) => {
    if (seen.userId !== null)
      await db.selectFrom('auth.users').select('id').where('id', '=', seen.userId).forUpdate().execute();
    await holdLinks(db, seen.email);
    const link = await takeLink(db, token, now);
    if (link === undefined) return { kind: 'gone' };
    const user =
      link.purpose === 'sign_up' ? await makeUser(db, link, hash, now) : await renew(db, link, hash);
    if (user === undefined) return { kind: 'gone' };
    await db.deleteFrom('auth.links').where('email', '=', link.email).execute();
    await forgiveAttempts(
      db,
      keys,
      { kind: 'password by strangers', about: link.email },
      { kind: 'password again', about: user.id },
      { kind: 'code by strangers', about: user.id },
    );
    const session = await openSession(db, user, visitor, now);
    const made = link.purpose === 'sign_up';
    const act = made ? 'account_made' : 'password_reset';
    await noteAct(db, { userId: user.id, act, sessionId: session.id, address: visitor.address }, now);
    return { kind: 'opened', session, email: link.email, made };
  });
}

type Found = { readonly id: string; readonly awaitsCode: boolean } | undefined;

/** Nothing, if the address got an account meanwhile. */
async function makeUser(db: Database, { email }: Link, password: string, now: Date): Promise<Found> {
  const user = await db
    .insertInto('auth.users')
    .values({ id: newId(now), email, password, created_at: now })
    .onConflict((email_) => email_.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  return user && { id: user.id, awaitsCode: false };
}

async function renew(
  db: Database,
  { email, userId }: Extract<Link, { userId: string }>,
  password: string,
): Promise<Found> {
  const user = await db
    .updateTable('auth.users')
    .set({ password })
    .where('id', '=', userId)
    .where('email', '=', email)
    .returning(['id', 'totp_since'])
    .executeTakeFirst();
  if (user === undefined) return undefined;
  await endSessions(db, user.id);
  return { id: user.id, awaitsCode: user.totp_since !== null };
}
