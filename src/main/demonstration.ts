import { sql } from 'kysely';
import { orgTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import { createApiKey } from '../domain/orgs/api-key.ts';
import { permissions } from '../kernel/caller.ts';
import { OrgId } from '../kernel/ids.ts';
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
): Promise<{ org: OrgId; secret: string }> {
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
  if (!isNew) return { org, secret };
  await writeHistory({ database, perform: performer(database, parts.keys, parts.mail), org, now, today });
  return { org, secret };
}
