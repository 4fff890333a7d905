import type { Database } from '../../database/pool.ts';
import { orgTransaction } from '../../database/org-transaction.ts';
import { newId, type OrgId } from '../../kernel/ids.ts';
import { createApiKey, type NewApiKey } from './api-key.ts';

export interface NewOrganization {
  readonly name: string;
  readonly mode: 'live' | 'test';
  readonly currency?: string;
}

export interface MadeOrganization {
  readonly org: OrgId;
  readonly keyId: string;
  readonly secret: string;
}

/** Makes an organization together with its first key. */
export async function createOrganization(
  database: Database,
  organization: NewOrganization,
  key: NewApiKey,
  now: Date,
): Promise<MadeOrganization> {
  const org = newId<OrgId>(now);
  return orgTransaction(database, org, 'write', async (db) => {
    await insertOrganization(db, org, organization, now);
    const made = await createApiKey(db, { id: org, mode: organization.mode }, key, now);
    return { org, keyId: made.id, secret: made.secret };
  });
}

/** Runs inside the organization that is being made. */
export async function insertOrganization(
  db: Database,
  id: OrgId,
  { name, mode, currency = 'USD' }: NewOrganization,
  now: Date,
): Promise<void> {
  await db.insertInto('organizations').values({ id, name, mode, currency, created_at: now }).execute();
}
