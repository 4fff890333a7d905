import { sql } from 'kysely';
import { accountTransaction, orgTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import { AccountEmail } from '../domain/accounts/email.ts';
import { makeLink } from '../domain/accounts/links.ts';
import { addMember } from '../domain/members/member.ts';
import { createApiKey } from '../domain/orgs/api-key.ts';
import { permissions } from '../kernel/caller.ts';
import { newId, OrgId } from '../kernel/ids.ts';
import { performer } from '../catalogue/perform.ts';
import type { Keyring, MailSettings } from '../database/work.ts';
import { writeHistory } from './demonstration-history.ts';
import { ensureSender } from './demonstration-sender.ts';
import { seedPeople } from './seed-people.ts';

/** The same organization at every start, so that what was tried yesterday is still there. */
const demonstrationOrg = OrgId.parse('0193c0de-0000-7000-8000-000000000001');
const somePeople = 200;

/** An organization to play with: people with a year behind them, a sender, and a new key for this run. */
export async function ensureDemonstration(
  database: Database,
  parts: { readonly keys: Keyring; readonly mail: MailSettings },
  now: Date,
): Promise<{ org: OrgId; secret: string; link: string }> {
  const org = demonstrationOrg;
  const { secret, isNew } = await orgTransaction(database, org, 'write', async (db) => {
    const made = await db
      .insertInto('organizations')
      .values({ id: org, name: 'Demonstration', mode: 'test', created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    await sql`update api_keys set revoked_at = ${now} where org_id = ${org} and name = 'npm run dev'
      and revoked_at is null and created_at < ${now}::timestamptz - interval '7 days'`.execute(db);
    const key = await createApiKey(db, { id: org, mode: 'test' }, { name: 'npm run dev', permissions }, now);
    return { secret: key.secret, isNew: made.numInsertedOrUpdatedRows === 1n };
  });
  // From the start of the day, so that the order of events is the same at any hour.
  const today = new Date(now);
  today.setUTCHours(0, 0, 0, 0);
  if (isNew) await seedPeople(database, { org, people: somePeople, now: today });
  await ensureSender(database, org, parts.keys.stored, now);
  const link = await ownersLink(database, org, parts.mail, now);
  if (!isNew) return { org, secret, link };
  await writeHistory({ database, perform: performer(database, parts.keys, parts.mail), org, now, today });
  return { org, secret, link };
}

/** A link that signs in once, for an owner of the organization to play with. */
async function ownersLink(database: Database, org: OrgId, mail: MailSettings, now: Date): Promise<string> {
  const email = AccountEmail.parse('owner@example.com');
  const { token, userId } = await accountTransaction(database, 'write', async (db) => {
    await db
      .insertInto('auth.users')
      .values({ id: newId(now), email, created_at: now })
      .onConflict((there) => there.column('email').doNothing())
      .execute();
    const { id } = await db
      .selectFrom('auth.users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    return { userId: id, token: await makeLink(db, { purpose: 'sign_in', email, userId: id }, now) };
  });
  await orgTransaction(database, org, 'write', (db) =>
    addMember(db, org, { userId, email, role: 'owner' }, now),
  );
  return `${mail.publicUrl}/link/${token}`;
}
