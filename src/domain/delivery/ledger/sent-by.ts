import type { Work } from '../../../database/work.ts';

/** The source of a message as timelines show it: a broadcast, or a node of a workflow. */
export type SentBy =
  | { readonly broadcast_id: string }
  | { readonly workflow_id: string; readonly node: string };

interface Head {
  readonly id: string;
  readonly workflow_id: string | null;
  readonly node: string | null;
}

/** A mailing has an id of its own, but callers cannot look anything up by it. */
const sentBy = ({ id, workflow_id, node }: Head): SentBy =>
  workflow_id === null ? { broadcast_id: id } : { workflow_id, node: node ?? '' };

/** The same for messages of which only the ledger row is known. One query reads all of them. */
export async function readSentBy(
  { db, org }: Work,
  broadcasts: readonly string[],
): Promise<(broadcast_id: string) => SentBy> {
  if (broadcasts.length === 0) return (broadcast_id) => ({ broadcast_id });
  const heads = await db
    .selectFrom('broadcasts')
    .select(['id', 'workflow_id', 'node'])
    .where('org_id', '=', org)
    .where('id', 'in', [...new Set(broadcasts)])
    .execute();
  const known = new Map(heads.map((head) => [head.id, sentBy(head)]));
  return (broadcast_id) => known.get(broadcast_id) ?? { broadcast_id };
}
