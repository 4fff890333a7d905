import { relayTransaction } from '../../database/org-transaction.ts';
import type { Database } from '../../database/pool.ts';
import type { OrgId } from '../../kernel/ids.ts';

/** Which text a receipt over SMPP is about. A name may be used again after months: the latest text is meant. */
export async function findByReceipt(
  database: Database,
  receipt: string,
): Promise<{ org: OrgId; delivery: number } | undefined> {
  const row = await relayTransaction(database, (db) =>
    db
      .selectFrom('deliveries')
      .select(['org_id', 'id'])
      .where('receipt', '=', receipt)
      .orderBy('id', 'desc')
      .executeTakeFirst(),
  );
  return row && { org: row.org_id as OrgId, delivery: row.id };
}
