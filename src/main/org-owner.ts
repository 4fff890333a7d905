import { accountTransaction, orgTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import { AccountEmail } from '../domain/accounts/email.ts';
import { transferOrganization } from '../domain/members/transfer-organization.ts';
import { systemClock } from '../kernel/clock.ts';
import { OrgId } from '../kernel/ids.ts';
import { answer, UsageError, word, type Values } from './arguments.ts';
import { withDatabase } from './with-database.ts';

export interface Owner {
  readonly userId: string;
  readonly email: string;
}

/** The account that an option names. */
export async function readOwner(database: Database, values: Values, option: string): Promise<Owner> {
  const email = AccountEmail.safeParse(word(values, option));
  if (!email.success) throw new UsageError(`--${option} takes an email address.`);
  const user = await accountTransaction(database, 'read', (db) =>
    db.selectFrom('auth.users').select('id').where('email', '=', email.data).executeTakeFirst(),
  );
  if (user === undefined)
    throw new UsageError('This address has no account. rostrum user create makes a link to make one.');
  return { userId: user.id, email: email.data };
}

/** Makes a user the only owner. Runs for one that exists. */
export const giveTo = (database: Database, org: OrgId, owner: Owner): Promise<void> =>
  orgTransaction(database, org, 'write', async (db) => {
    const found = await db
      .selectFrom('organizations')
      .select('id')
      .where('id', '=', org)
      .where('state', '<>', 'deleting')
      .executeTakeFirst();
    if (found === undefined) throw new UsageError('There is no organization with this id.');
    await transferOrganization({ db, org, now: systemClock.now(), actor: 'operator', face: 'cli' }, owner);
  });

/** rostrum org transfer */
export async function transferOrg(id: string | undefined, values: Values): Promise<void> {
  const org = OrgId.safeParse(id);
  if (!org.success) throw new UsageError('Say: rostrum org transfer ID --to ADDRESS');
  const owner = await withDatabase(async (database) => {
    const found = await readOwner(database, values, 'to');
    await giveTo(database, org.data, found);
    return found;
  });
  answer({ org_id: org.data, owner: { user_id: owner.userId, email: owner.email } });
}
