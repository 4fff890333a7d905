import type { Database } from '../../database/pool.ts';

/** Somebody at an identity provider: its subject, which it gives to nobody else. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** The user that an identity is linked to, held as at every sign-in. */
export async function findIdentity(db: Database, { issuer, subject }: Identity) {
  const identity = await db
    .selectFrom('auth.identities')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  if (identity === undefined) return undefined;
  const user = await db
    .selectFrom('auth.users')
    .select(['id', 'email', 'totp_since'])
    .where('id', '=', identity.user_id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  // Unlinked while we waited for the user.
  if (!(await isLinked(db, user.id, issuer))) return undefined;
  return { id: user.id, email: user.email, awaitsCode: user.totp_since !== null };
}

/** Nothing, if the identity is linked to an account already. */
export async function linkIdentity(
  db: Database,
  userId: string,
  { issuer, subject }: Identity,
  now: Date,
): Promise<true | undefined> {
  const linked = await db
    .insertInto('auth.identities')
    .values({ issuer, subject, user_id: userId, created_at: now })
    .onConflict((known) => known.doNothing())
    .executeTakeFirst();
  return linked.numInsertedOrUpdatedRows === 1n ? true : undefined;
}

export async function unlinkIdentity(
  db: Database,
  userId: string,
  issuer: string,
): Promise<true | undefined> {
  const unlinked = await db
    .deleteFrom('auth.identities')
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .executeTakeFirst();
  return unlinked.numDeletedRows > 0n ? true : undefined;
}

export async function isLinked(db: Database, userId: string, issuer: string): Promise<boolean> {
  const linked = await db
    .selectFrom('auth.identities')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .executeTakeFirst();
  return linked !== undefined;
}
