import { accountTransaction } from '../database/org-transaction.ts';
import { AccountEmail } from '../domain/accounts/email.ts';
import { makeLink, type Link } from '../domain/accounts/links.ts';
import { systemClock } from '../kernel/clock.ts';
import { answer, UsageError, word, type Values } from './arguments.ts';
import { mailSettings } from './mail-settings.ts';
import { readDatabaseConfig, withDatabase } from './with-database.ts';

/** rostrum user create and reset: a link for the person, who chooses the password. No mail is sent. */
export async function manageUsers(values: Values, [verb]: string[]): Promise<void> {
  if (verb !== 'create' && verb !== 'reset')
    throw new UsageError('Say: rostrum user create … or rostrum user reset …');
  const email = AccountEmail.safeParse(word(values, 'email'));
  if (!email.success) throw new UsageError('--email takes an email address.');
  const token = await withDatabase((database) =>
    accountTransaction(database, 'write', async (db) => {
      const user = await db
        .selectFrom('auth.users')
        .select('id')
        .where('email', '=', email.data)
        .executeTakeFirst();
      return makeLink(db, linkFor(verb, email.data, user?.id), systemClock.now());
    }),
  );
  answer({ email: email.data, link: `${mailSettings(readDatabaseConfig()).publicUrl}/link/${token}` });
}

function linkFor(verb: 'create' | 'reset', email: AccountEmail, userId: string | undefined): Link {
  if (verb === 'create') {
    if (userId !== undefined)
      throw new UsageError('This address has an account. rostrum user reset makes a link to a new password.');
    return { purpose: 'sign_up', email, userId: null };
  }
  if (userId === undefined) throw new UsageError('This address has no account.');
  return { purpose: 'password', email, userId };
}
