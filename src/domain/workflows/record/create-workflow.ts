import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { newId, type WorkflowId } from '../../../kernel/ids.ts';
import { acceptGraph } from '../graph/accept-graph.ts';
import { Graph } from '../graph/graph.ts';
import { emptyGraph } from '../graph/stored-graph.ts';
import { toWritten, Workflow, workflowInput } from './workflow.ts';
import { requireWorkflow } from '../graph/workflow-rows.ts';

export const createWorkflow = defineOperation({
  name: 'create_workflow',
  title: 'Create a workflow',
  summary:
    'Draft what happens, person by person, after a registration or an event: waits, splits, messages. It runs for ' +
    'nobody until publish_workflow. The draft may be half done: problems says what is still to do. Nodes name the ' +
    'node after them; end with a node of type end.',
  permission: 'workflows.write',
  effect: 'add',
  creates: true,
  faces: { rest: ['POST /v1/workflows'], tool: true },
  input: z.strictObject({ name: workflowInput.name, graph: Graph.optional() }),
  output: z.object({ workflow: Workflow }),
  handle: async (work, { name, graph }) => {
    const accepted = graph === undefined ? emptyGraph : await acceptGraph(work, graph, emptyGraph);
    const id = newId<WorkflowId>(work.now);
    await work.db
      .insertInto('workflows')
      .values({
        org_id: work.org,
        id,
        name,
        graph: JSON.stringify(accepted),
        created_at: work.now,
        updated_at: work.now,
      })
      .execute();
    work.touched['workflow_id'] = id;
    return { workflow: await toWritten(work, await requireWorkflow(work, id)) };
  },
});
