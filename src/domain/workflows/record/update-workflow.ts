import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { breather } from '../../../kernel/breather.ts';
import { WorkflowId } from '../../../kernel/ids.ts';
import { acceptGraph } from '../graph/accept-graph.ts';
import { ReplacingGraph } from '../graph/graph.ts';
import { writeGraph } from '../graph/written-graph.ts';
import { toWorkflow, toWritten, Workflow, workflowInput } from './workflow.ts';
import { lockWorkflow, refuseUnlessAt, requireWorkflow } from '../graph/workflow-rows.ts';

export const updateWorkflow = defineOperation({
  name: 'update_workflow',
  title: "Change a workflow's draft",
  summary:
    'Change the name, or replace the whole graph of the draft. What is live stays as it is until publish_workflow. ' +
    'Send the revision you read, and the change is refused if somebody else was faster.',
  permission: 'workflows.write',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['PATCH /v1/workflows/:workflow_id'], tool: true },
  input: z
    .strictObject({
      workflow_id: WorkflowId,
      name: workflowInput.name.optional(),
      graph: ReplacingGraph.optional(),
      revision: z.int().min(1).optional(),
    })
    .refine(({ name, graph }) => name !== undefined || graph !== undefined, 'Send name or graph.'),
  output: z.object({ workflow: Workflow }),
  handle: async (work, { workflow_id, name, graph, revision }) => {
    // Checks the graph before locking the row: bodies are the slow part.
    const seen = await requireWorkflow(work, workflow_id);
    const sent =
      graph === undefined
        ? undefined
        : await writeGraph(await acceptGraph(work, graph, seen.graph), breather(work.isCrowded));
    const before = await lockWorkflow(work, seen);
    refuseUnlessAt(before, revision);
    const after = { ...before, name: name ?? before.name, graph: sent?.graph ?? before.graph };
    const isChanged = after.name !== before.name || !isDeepStrictEqual(after.graph, before.graph);
    if (isChanged) {
      after.revision++;
      after.updated_at = work.now;
      const { name, revision, updated_at } = after;
      await work.db
        .updateTable('workflows')
        .set({ name, revision, updated_at, ...(sent && { graph: sent.text }) })
        .where('org_id', '=', work.org)
        .where('id', '=', workflow_id)
        .execute();
      work.touched['workflow_id'] = workflow_id;
    }
    return { workflow: await (isChanged ? toWritten : toWorkflow)(work, after) };
  },
});
