import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Work } from '../../../database/work.ts';
import { WorkflowId } from '../../../kernel/ids.ts';
import { MomentOut } from '../../../kernel/moment.ts';
import { compileGraph } from '../graph/compile-graph.ts';
import { findProblems } from '../graph/find-problems.ts';
import type { LiveGraph } from '../graph/live-graph.ts';
import { Problem } from '../graph/problem.ts';
import type { StoredGraph } from '../graph/stored-graph.ts';
import { structureProblems } from '../graph/structure-problems.ts';
import { readVersion, type WorkflowRow } from '../graph/workflow-rows.ts';

export const statuses = ['draft', 'live', 'paused'] as const;

export const workflowInput = { name: z.string().trim().min(1).max(200) };

/** A workflow as lists show it. */
export const ListedWorkflow = z
  .object({
    id: WorkflowId,
    name: z.string(),
    status: z.enum(statuses),
    live_version: z.int().nullable(),
    revision: z.int(),
    created_at: MomentOut,
    updated_at: MomentOut,
  })
  .meta({ id: 'ListedWorkflow' });

export const Workflow = ListedWorkflow.extend({
  has_unpublished_changes: z.boolean(),
  problems: z.array(Problem).describe('What keeps the draft from being published.'),
}).meta({ id: 'Workflow' });

export const toListed = (
  row: Pick<
    WorkflowRow,
    'id' | 'name' | 'status' | 'live_version' | 'revision' | 'created_at' | 'updated_at'
  >,
): z.input<typeof ListedWorkflow> => ({
  id: row.id as WorkflowId,
  name: row.name,
  status: row.status as (typeof statuses)[number],
  live_version: row.live_version,
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** A workflow as every operation on one returns it. */
export async function toWorkflow(work: Work, row: WorkflowRow): Promise<z.input<typeof Workflow>> {
  const live = await readVersion(work, row.id, row.live_version);
  return {
    ...toListed(row),
    has_unpublished_changes: live === undefined || !isSame(row.graph, live),
    problems: await findProblems(work, row.graph),
  };
}

/** The same after the draft was written, and stores for lists how it stands. */
export async function toWritten(work: Work, row: WorkflowRow): Promise<z.input<typeof Workflow>> {
  const workflow = await toWorkflow(work, row);
  await work.db
    .updateTable('workflows')
    .set({ changed: workflow.has_unpublished_changes, problems: workflow.problems.length })
    .where('org_id', '=', work.org)
    .where('id', '=', row.id)
    .execute();
  return workflow;
}

/** Whether a draft equals what is published. */
export const isSame = (draft: StoredGraph, live: LiveGraph): boolean =>
  structureProblems(draft).length === 0 &&
  isDeepStrictEqual(JSON.parse(JSON.stringify(compileGraph(draft))), live);
