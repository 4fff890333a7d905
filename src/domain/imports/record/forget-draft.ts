import { tryThing } from '../../../database/locks.ts';
import { orgTransaction } from '../../../database/org-transaction.ts';
import type { Database } from '../../../database/pool.ts';
import type { ImportId, OrgId } from '../../../kernel/ids.ts';
import { writeAudit } from '../../orgs/audit.ts';

export interface OldDraft {
  readonly org_id: OrgId;
  readonly import_id: ImportId;
}

/** Deletes an import that was never committed, with the rows that were staged for it. */
export const forgetDraft = (
  database: Database,
  { org_id: org, import_id }: OldDraft,
  now: Date,
): Promise<void> =>
  orgTransaction(database, org, 'write', async (db) => {
    if (!(await tryThing(db, 'tidying', import_id))) return;
    const { numDeletedRows } = await db
      .deleteFrom('imports')
      .where('org_id', '=', org)
      .where('id', '=', import_id)
      .where('committed_at', 'is', null)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return;
    const actor = { kind: 'service', id: 'tidying' } as const;
    const caller = { actor, face: 'engine', requestId: import_id, address: null } as const;
    await writeAudit({ db, org, now, caller, touched: { import_id } }, 'forget_import_draft');
  });
