import { sql } from 'kysely';
import { relayTransaction } from '../../../database/org-transaction.ts';
import type { Database } from '../../../database/pool.ts';
import type { ServiceParts } from '../../../database/service-work.ts';
import type { OrgId } from '../../../kernel/ids.ts';
import { asService } from '../../orgs/as-service.ts';
import { writeAudit } from '../../orgs/audit.ts';
import { isProof } from '../../senders/sms-number.ts';
import { goesOver } from '../ledger/route.ts';
import type { InboundContext } from './note-receipt.ts';

/**
 * Handles a text to a number that an organization claims. If it holds the proof that only this organization knows, the
 * number is proven; if two organizations prove the same number, the first keeps it.
 */
export async function proveNumber(
  database: Database,
  parts: ServiceParts,
  { to, body }: { readonly to: string; readonly body: string },
  { now, requestId, route }: InboundContext,
): Promise<void> {
  if (!/^\s*rostrum\s/i.test(body)) return;
  const claims = await relayTransaction(database, (db) =>
    db
      .selectFrom('sms_numbers')
      .select('org_id')
      .where('number', '=', to)
      .where('proven_at', 'is', null)
      .where(goesOver('sms_numbers.org_id', 'sms', route))
      .execute(),
  );
  const org = claims.map(({ org_id }) => org_id as OrgId).find((one) => isProof(parts.keys, one, to, body));
  if (org === undefined) return;
  await asService(database, parts, { org, now, actor: 'inbound_text', requestId }, async (work) => {
    const { numAffectedRows } = await sql`
      update sms_numbers set proven_at = ${work.now}
      where org_id = ${org} and number = ${to} and proven_at is null and not gate.number_is_taken(${to})`.execute(
      work.db,
    );
    if (numAffectedRows !== 1n) return;
    work.touched['org_id'] = org;
    await writeAudit(work, 'prove_sms_number');
  });
}
