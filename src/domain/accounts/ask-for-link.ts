import { takeAttempt } from './attempts.ts';
import type { AccountEmail } from './email.ts';
import { forgetEnded, makeLink, type Link, type MailedPurpose } from './links.ts';
import type { AccountParts } from './parts.ts';

/** A mail that is to be sent. */
export interface LinkMail {
  readonly to: AccountEmail;
  readonly purpose: MailedPurpose;
  readonly token: string;
}

/**
 * Makes the link that somebody asks for who is not signed in; nothing, if there is no such account or its address had
 * enough mail. What they are told must not depend on it.
 */
export async function askForLink(
  { transact, keys }: Pick<AccountParts, 'transact' | 'keys'>,
  { email, purpose }: { readonly email: AccountEmail; readonly purpose: MailedPurpose },
  now: Date,
): Promise<LinkMail | undefined> {
  const seconds = await transact('write', async (db) => {
    await forgetEnded(db, now);
    return takeAttempt(db, keys, { kind: 'mail', about: email }, now);
  });
  if (seconds > 0) return undefined;
  return transact('write', async (db) => {
    const user = await db.selectFrom('auth.users').select('id').where('email', '=', email).executeTakeFirst();
    // Whoever signs up with an address that has an account is led to its password.
    const link: (Link & { readonly purpose: MailedPurpose }) | undefined =
      user !== undefined
        ? { purpose: 'password', email, userId: user.id }
        : purpose === 'sign_up'
          ? { purpose, email, userId: null }
          : undefined;
    if (link === undefined) return undefined;
    return { to: email, purpose: link.purpose, token: await makeLink(db, link, now) };
  });
}
