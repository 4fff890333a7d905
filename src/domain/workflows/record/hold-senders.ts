import { isDeepStrictEqual } from 'node:util';
import { TryAgain } from '../../../database/org-transaction.ts';
import type { Work } from '../../../database/work.ts';
import type { WorkflowId } from '../../../kernel/ids.ts';
import { typeOf } from '../nodes/index.ts';
import type { StoredGraph } from '../graph/stored-graph.ts';
import { requireWorkflow, type WorkflowRow } from '../graph/workflow-rows.ts';

/**
 * Locks a workflow and the senders of its draft while it is published: a deletion of such a sender waits, and finds it
 * in use. Senders come first, as in a deletion, which goes from them to the workflows.
 */
export async function holdWithSenders(work: Work, workflow: WorkflowId): Promise<WorkflowRow> {
  const seen = sendersOf((await requireWorkflow(work, workflow)).graph);
  if (seen.length > 0) {
    await work.db
      .selectFrom('senders')
      .select('id')
      .where('org_id', '=', work.org)
      .where('id', 'in', seen)
      .orderBy('id')
      .forShare()
      .execute();
  }
  const row = await requireWorkflow(work, workflow, 'lock');
  if (!isDeepStrictEqual(sendersOf(row.graph), seen)) throw new TryAgain();
  return row;
}

const sendersOf = ({ nodes }: StoredGraph): string[] =>
  [...new Set(nodes.flatMap((node) => typeOf(node).senders(node)))].toSorted();
