import { newId } from '../../kernel/ids.ts';
import type { Work } from '../../database/work.ts';
import type { Caller } from '../../kernel/caller.ts';

/** What an audit row is made from. */
export interface Audited extends Pick<Work, 'db' | 'org' | 'now' | 'touched' | 'reason'> {
  readonly caller: Pick<Caller, 'actor' | 'connection' | 'face' | 'requestId' | 'address'>;
}

/** One row a write, inside its transaction: who, what, which ids, from where. Never names, addresses or bodies. */
export async function writeAudit(work: Audited, operation: string): Promise<void> {
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
      connection_id: caller.connection ?? null,
      face: caller.face,
      address: caller.address,
      operation,
      ids: JSON.stringify(work.touched),
      reason: work.reason ?? null,
    })
    .execute();
}
