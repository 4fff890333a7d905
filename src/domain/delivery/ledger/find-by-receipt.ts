import { relayTransaction } from '../../../database/org-transaction.ts';
import type { Database } from '../../../database/pool.ts';
import type { OrgId } from '../../../kernel/ids.ts';
import { wentOver } from './route.ts';

/**
 * Finds the text that a receipt over a route is about. Message ids may be reused after months, so the latest text counts;
 * another provider may have given the same.
 */
export async function findByReceipt(
  database: Database,
  receipt: string,
  route: string,
): Promise<{ org: OrgId; delivery: number } | undefined> {
  const row = await relayTransaction(database, (db) =>
    db
      .selectFrom('deliveries')
      .select(['org_id', 'id'])
      .where('receipt', '=', receipt)
      .where(wentOver('sms', route))
      .orderBy('id', 'desc')
      .executeTakeFirst(),
  );
  return row && { org: row.org_id as OrgId, delivery: row.id };
}
