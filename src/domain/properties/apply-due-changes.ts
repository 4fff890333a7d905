import { orgTransaction } from '../../database/org-transaction.ts';
import type { Database } from '../../database/pool.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { applyChanges } from './apply-changes.ts';

const mostOthers = 50;

/**
 * Applies one requested change, and the oldest others of its organization with it. These have messages of their own,
 * which then find nothing to do; one that fails is left to its message. Returns the requests of what was applied.
 */
export async function applyDueChanges(
  database: Database,
  org: OrgId,
  { change_id, request_id }: { readonly change_id: string; readonly request_id: string },
): Promise<string[]> {
  if (!(await applyChanges(database, org, change_id))) return [];
  const others = await orgTransaction(database, org, 'read', (db) =>
    db
      .selectFrom('property_changes')
      .select(['id', 'request_id'])
      .where('org_id', '=', org)
      .orderBy('id')
      .limit(mostOthers)
      .execute(),
  );
  const applied = [request_id];
  for (const one of others)
    if (await applyChanges(database, org, one.id).catch(() => false)) applied.push(one.request_id);
  return applied;
}
