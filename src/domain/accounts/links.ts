import { sql } from 'kysely';
import type { Database } from '../../database/pool.ts';
import type { AccountEmail } from './email.ts';
import { hashToken, newToken } from './token.ts';

export type Link =
  | { readonly purpose: 'sign_up'; readonly email: AccountEmail; readonly userId: null }
  | { readonly purpose: 'password' | 'sign_in'; readonly email: AccountEmail; readonly userId: string };

/** Those that strangers may have sent. */
export type MailedPurpose = Exclude<Link['purpose'], 'sign_in'>;

const goodForMs = { sign_up: 3 * 86_400_000, password: 3_600_000, sign_in: 3_600_000 };

/** The token of a new link. Older ones stay good: whoever asks in another's name ends nothing. */
export async function makeLink(db: Database, { purpose, email, userId }: Link, now: Date): Promise<string> {
  const token = newToken();
  const ends = new Date(now.getTime() + goodForMs[purpose]);
  await db
    .insertInto('auth.links')
    .values({ token_hash: hashToken(token), purpose, email, user_id: userId, ends_at: ends })
    .execute();
  return token;
}

/** What a link is for. Looking at it uses nothing up: mail programs do it too. */
export async function readLink(db: Database, token: string, now: Date): Promise<Link | undefined> {
  const found = await db
    .selectFrom('auth.links')
    .select(['purpose', 'email', 'user_id as userId'])
    .where('token_hash', '=', hashToken(token))
    .where('ends_at', '>', now)
    .executeTakeFirst();
  return found as Link | undefined;
}

/** Holds every link to an address, always in the same order: whoever uses one ends the others. */
export async function holdLinks(db: Database, email: AccountEmail): Promise<void> {
  await db
    .selectFrom('auth.links')
    .select('token_hash')
    .where('email', '=', email)
    .orderBy('token_hash')
    .forUpdate()
    .execute();
}

/** Takes a link for good: of two at once, one gets it. */
export async function takeLink(db: Database, token: string, now: Date): Promise<Link | undefined> {
  const taken = await db
    .deleteFrom('auth.links')
    .where('token_hash', '=', hashToken(token))
    .where('ends_at', '>', now)
    .returning(['purpose', 'email', 'user_id as userId'])
    .executeTakeFirst();
  return taken as Link | undefined;
}

/** Deletes a few rows that are over wherever somebody adds one, so that what strangers leave behind does not pile up. */
export async function forgetEnded(db: Database, now: Date): Promise<void> {
  for (const [table, key] of [
    ['sessions', 'id'],
    ['links', 'token_hash'],
    ['attempts', 'key'],
    ['used_challenges', 'challenge_hash'],
  ] as const)
    await sql`
      delete from auth.${sql.ref(table)} where ${sql.ref(key)} in (
        select ${sql.ref(key)} from auth.${sql.ref(table)} where ends_at < ${now} limit 20 for update skip locked)
    `.execute(db);
}
