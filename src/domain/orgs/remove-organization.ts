import { sql } from 'kysely';
import { orgTransaction } from '../../database/org-transaction.ts';
import type { Database } from '../../database/pool.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { deleteNext } from './removal-tables.ts';

export interface OrgRemovalRef {
  readonly org_id: OrgId;
  /** How many parts were done when this message was sent. If there are more by now, another handler is at work. */
  readonly after?: number | undefined;
}

export interface OrgRemovalParts {
  readonly database: Database;
  readonly clock: Clock;
  /** When it is set, no further part is begun. */
  readonly stopping: AbortSignal;
}

/** `more`: call again at once. `not_mine`: it is done, or another handler is at work. */
export type OrgRemoved =
  | { readonly outcome: 'more'; readonly after: number }
  | { readonly outcome: 'done' | 'not_mine' };

const runMs = 2_000; // then it returns to the engine, and other removals may have the place
const auditRows = 2_000;

/** Removes an organization that was marked for it, part after part. */
export async function removeOrganization(parts: OrgRemovalParts, ref: OrgRemovalRef): Promise<OrgRemoved> {
  const until = parts.clock.now().getTime() + runMs;
  for (let { after } = ref; ;) {
    const removed = await removeOrgPart(parts.database, { ...ref, after }, parts.clock.now());
    if (removed.outcome !== 'more') return removed;
    if (parts.clock.now().getTime() >= until || parts.stopping.aborted) return removed;
    ({ after } = removed);
  }
}

/** Removes some rows of one table and records how many and where it is, in one transaction; at last the organization. */
export const removeOrgPart = (
  database: Database,
  { org_id: org, after }: OrgRemovalRef,
  now: Date,
): Promise<OrgRemoved> =>
  orgTransaction(database, org, 'write', async (db) => {
    const removal = await db
      .selectFrom('organization_removals')
      .selectAll()
      .where('org_id', '=', org)
      .where('done_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (removal === undefined || (after !== undefined && after !== removal.part)) {
      return { outcome: 'not_mine' };
    }
    if (!(await isDeleting(db, org))) return { outcome: 'not_mine' };
    const next = (await deleteNext(db, org, removal.at_table)) ?? (await deleteLast(db, org));
    const removed = removal.removed as Readonly<Record<string, number>>;
    await db
      .updateTable('organization_removals')
      .set({
        run_at: now,
        part: removal.part + 1,
        at_table: next.table,
        removed: JSON.stringify({ ...removed, [next.table]: (removed[next.table] ?? 0) + next.count }),
        ...(next.table === 'organizations' && { done_at: now }),
      })
      .where('org_id', '=', org)
      .execute();
    return next.table === 'organizations'
      ? { outcome: 'done' }
      : { outcome: 'more', after: removal.part + 1 };
  });

async function isDeleting(db: Database, org: OrgId): Promise<boolean> {
  const found = await db.selectFrom('organizations').select('state').where('id', '=', org).executeTakeFirst();
  return found?.state === 'deleting';
}

/** Its audit rows, or itself when none are left. Whatever a transaction added that was under way goes with it. */
async function deleteLast(db: Database, org: OrgId): Promise<{ table: string; count: number }> {
  const { rows } = await sql<{ count: number }>`select remove_organization(${auditRows}) as count`.execute(
    db,
  );
  const { count } = rows[0]!;
  if (count > 0) return { table: 'audit_log', count };
  while ((await deleteNext(db, org, null)) !== undefined); // of the tables that refer to nothing
  return { table: 'organizations', count: 1 };
}
