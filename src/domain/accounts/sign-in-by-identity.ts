import type { Database } from '../../database/pool.ts';
import { newId } from '../../kernel/ids.ts';
import { AccountEmail } from './email.ts';
import { findIdentity, linkIdentity, type Identity } from './identities.ts';
import { forgetEnded, holdLinks } from './links.ts';
import { noteAct } from './note-act.ts';
import type { AccountParts, Opened } from './parts.ts';
import { openSession, type Visitor } from './session.ts';

/** What an identity provider says about somebody, once it is proven that it said so. */
export interface VouchedIdentity extends Identity {
  readonly email: string | undefined;
  readonly emailVerified: boolean;
}

/**
 * `unproven`: the provider vouches for no address. `taken`: the address has an account, whose owner must show first that
 * it is theirs. `closed`: nobody asked this address in.
 */
export interface NotLetIn {
  readonly kind: 'unproven' | 'taken' | 'closed';
}

/** Signs in by an identity that an account is linked to, or makes the account of an address that has none. */
export const signInByIdentity = (
  { transact }: AccountParts,
  {
    vouched,
    signUp,
    visitor,
  }: { readonly vouched: VouchedIdentity; readonly signUp: 'open' | 'closed'; readonly visitor: Visitor },
  now: Date,
): Promise<Opened | NotLetIn> =>
  transact('write', async (db) => {
    await forgetEnded(db, now);
    const known = await findIdentity(db, vouched);
    const user = known ?? (await makeUser(db, vouched, signUp, now));
    if ('kind' in user) return user;
    const session = await openSession(db, user, visitor, now);
    const act = known === undefined ? 'account_made' : user.awaitsCode ? 'code_asked' : 'signed_in';
    await noteAct(db, { userId: user.id, act, sessionId: session.id, address: visitor.address }, now);
    return { kind: 'opened', session, email: user.email };
  });

async function makeUser(db: Database, vouched: VouchedIdentity, signUp: 'open' | 'closed', now: Date) {
  const email = AccountEmail.safeParse(vouched.email);
  if (!email.success || !vouched.emailVerified) return { kind: 'unproven' } as const;
  if (await hasAccount(db, email.data)) return { kind: 'taken' } as const;
  if (signUp === 'closed' && !(await isAskedIn(db, email.data, now))) return { kind: 'closed' } as const;
  await holdLinks(db, email.data);
  const id = newId(now);
  const made = await db
    .insertInto('auth.users')
    .values({ id, email: email.data, created_at: now })
    .onConflict((meanwhile) => meanwhile.column('email').doNothing())
    .executeTakeFirst();
  if (made.numInsertedOrUpdatedRows !== 1n) return { kind: 'taken' } as const;
  await db.deleteFrom('auth.links').where('email', '=', email.data).execute();
  await linkIdentity(db, id, vouched, now);
  return { id, email: email.data, awaitsCode: false };
}

async function hasAccount(db: Database, email: AccountEmail): Promise<boolean> {
  const user = await db.selectFrom('auth.users').select('id').where('email', '=', email).executeTakeFirst();
  return user !== undefined;
}

/** Whether somebody made a link for this address that makes an account. */
async function isAskedIn(db: Database, email: AccountEmail, now: Date): Promise<boolean> {
  const link = await db
    .selectFrom('auth.links')
    .select('email')
    .where('email', '=', email)
    .where('purpose', '=', 'sign_up')
    .where('ends_at', '>', now)
    .executeTakeFirst();
  return link !== undefined;
}
