import type { Database } from '../../database/pool.ts';
import { addToOutbox } from '../../database/outbox.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { writeAudit } from './audit.ts';
import type { OrgState } from './org-state.ts';

/** A transaction in an organization, by somebody who may change its state: the operator, or the service itself. */
export interface ChangingState {
  readonly db: Database;
  readonly org: OrgId;
  /** By the service's clock. */
  readonly now: Date;
  readonly actor: string;
  readonly face: Caller['face'];
}

/** Stops its sending and its writes. Returns false unless it was active. */
export const suspendOrganization = (by: ChangingState, reason: string): Promise<boolean> =>
  changeState(by, 'suspend_organization', { from: ['active'], to: 'suspended', reason });

/** Everything goes on from the rows: the sweep tells the engine of what came due. False unless it was suspended. */
export const resumeOrganization = (by: ChangingState): Promise<boolean> =>
  changeState(by, 'resume_organization', { from: ['suspended'], to: 'active', reason: null });

/** Ends its keys at once and has the engine remove it, part by part. Returns false if that began already. */
export async function deleteOrganization(by: ChangingState): Promise<boolean> {
  const { db, org, now } = by;
  const change = { from: ['active', 'suspended'], to: 'deleting', reason: null } as const;
  if (!(await changeState(by, 'delete_organization', change))) return false;
  await db.insertInto('organization_removals').values({ org_id: org, asked_at: now, run_at: now }).execute();
  await addToOutbox(by, 'OrganizationRemoval', { asked_at: now.toISOString() });
  return true;
}

interface Change {
  readonly from: readonly OrgState[];
  readonly to: OrgState;
  readonly reason: string | null;
}

async function changeState(
  by: ChangingState,
  operation: string,
  { from, to, reason }: Change,
): Promise<boolean> {
  const { db, org, now } = by;
  const { numUpdatedRows } = await db
    .updateTable('organizations')
    .set({ state: to, state_reason: reason, state_at: now })
    .where('id', '=', org)
    .where('state', 'in', from)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await auditChange(by, operation, { org_id: org }, reason);
  return true;
}

/** Audits what the operator or the service itself changed about an organization. */
export async function auditChange(
  { db, org, now, actor, face }: ChangingState,
  operation: string,
  touched: Readonly<Record<string, string>>,
  reason: string | null = null,
): Promise<void> {
  const { clock_ahead_ms } = await db
    .selectFrom('organizations')
    .select('clock_ahead_ms')
    .where('id', '=', org)
    .executeTakeFirstOrThrow();
  const caller = {
    actor: { kind: 'service', id: actor },
    face,
    requestId: `${operation} ${org}`,
    address: null,
  } as const;
  const at = new Date(now.getTime() + clock_ahead_ms);
  await writeAudit({ db, org, now: at, caller, touched, ...(reason !== null && { reason }) }, operation);
}
