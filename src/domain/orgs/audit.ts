import { newId } from '../../kernel/ids.ts';
import type { Work } from '../../database/work.ts';

/** One row a write, inside its transaction: who, what, which ids, from where. Never names, addresses or bodies. */
export async function writeAudit(work: Work, operation: string): Promise<void> {
  const { caller } = work;
  await work.db
    .insertInto('audit_log')
    .values({
      org_id: work.org,
      id: newId(work.now),
      at: work.now,
      request_id: caller.requestId,
      actor_kind: caller.actor.kind,
      actor_id: caller.actor.id,
      face: caller.face,
      address: caller.address,
      operation,
      ids: JSON.stringify(work.touched),
      reason: work.reason ?? null,
    })
    .execute();
}
