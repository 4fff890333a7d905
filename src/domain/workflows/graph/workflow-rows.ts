import type { Selectable } from 'kysely';
import type { Workflows } from '../../../database/tables.generated.ts';
import type { Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import type { WorkflowId } from '../../../kernel/ids.ts';
import type { LiveGraph } from './live-graph.ts';
import type { StoredGraph } from './stored-graph.ts';

export type WorkflowRow = Omit<Selectable<Workflows>, 'graph'> & { readonly graph: StoredGraph };

/**
 * Reads the row. A change locks it until the transaction ends. A release shares it, so that after a pause nothing more
 * of the workflow is released; registrations and messages only refer to the row, and are not blocked.
 */
export async function requireWorkflow(
  work: Work,
  id: WorkflowId,
  hold: 'look' | 'lock' = 'look',
): Promise<WorkflowRow> {
  const query = work.db
    .selectFrom('workflows')
    .selectAll()
    .where('org_id', '=', work.org)
    .where('id', '=', id);
  const row = await (hold === 'lock' ? query.forNoKeyUpdate() : query).executeTakeFirst();
  if (row === undefined)
    throw new Failure('not_found', 'No workflow with this id exists in this organization.');
  return { ...row, graph: row.graph as unknown as StoredGraph };
}

/** All columns but the graph, which may take megabytes. */
export const withoutGraph = [
  'changed',
  'created_at',
  'id',
  'live_version',
  'name',
  'org_id',
  'problems',
  'resumed_at',
  'revision',
  'status',
  'trigger_event',
  'trigger_kind',
  'trigger_webinar_id',
  'updated_at',
] as const satisfies readonly (keyof Workflows)[];

/** Locks a row that was read before. The graph is read again only if somebody has changed it since. */
export async function lockWorkflow(work: Work, { id, revision, graph }: WorkflowRow): Promise<WorkflowRow> {
  const row = await work.db
    .selectFrom('workflows')
    .select(withoutGraph)
    .where('org_id', '=', work.org)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row?.revision === revision) return { ...row, graph };
  return requireWorkflow(work, id as WorkflowId);
}

/** Refuses if another call has written since the caller read it: that change must not be lost unseen. */
export function refuseUnlessAt(row: WorkflowRow, revision: number | undefined): void {
  if (revision === undefined || revision === row.revision) return;
  throw new Failure(
    'workflow_changed',
    `The workflow is at revision ${row.revision} by now, not ${revision}. Read it again with get_workflow first.`,
  );
}

/** A published version; runs keep the one they began with. */
export async function readVersion(
  work: Work,
  workflow: string,
  version: number | null,
): Promise<LiveGraph | undefined> {
  if (version === null) return undefined;
  const row = await work.db
    .selectFrom('workflow_versions')
    .select('graph')
    .where('org_id', '=', work.org)
    .where('workflow_id', '=', workflow)
    .where('version', '=', version)
    .executeTakeFirst();
  return row?.graph as unknown as LiveGraph | undefined;
}
