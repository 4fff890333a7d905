import { orgTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import { newDkimKey } from '../domain/senders/dkim-key.ts';
import type { Sealer } from '../kernel/sealer.ts';
import { newId, type OrgId, type SendingDomainId } from '../kernel/ids.ts';

/** No name server knows this name, by RFC 6761; so it is never looked up, and counts as verified. */
const domain = 'demonstration.test';
const neverChecked = new Date('9999-01-01T00:00:00Z');

/** A sender that is ready and a layout with an address, so that a broadcast can be planned in the first minutes. */
export async function ensureSender(database: Database, org: OrgId, stored: Sealer, now: Date): Promise<void> {
  const domainId = newId<SendingDomainId>(now);
  const key = await newDkimKey(stored, org, domainId);
  await orgTransaction(database, org, 'write', async (db) => {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('sending_domains')
      .values({
        org_id: org,
        id: domainId,
        domain,
        ownership_token: 'demonstration',
        dkim_selector: 'rostrum',
        dkim_public_key: key.publicKey,
        dkim_private_key: key.sealedPrivateKey,
        verified_at: now,
        next_check_at: neverChecked,
        created_at: now,
      })
      .onConflict((conflict) => conflict.columns(['org_id', 'domain']).doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 1n) return;
    const made = { org_id: org, created_at: now, updated_at: now };
    const sender = { id: newId(now), name: 'Demonstration', email: `news@${domain}`, domain_id: domainId };
    await db
      .insertInto('senders')
      .values({ ...made, ...sender })
      .execute();
    await db
      .insertInto('email_layouts')
      .values({
        org_id: org,
        company_name: 'Demonstration',
        postal_address: '1 Main Street',
        updated_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}
