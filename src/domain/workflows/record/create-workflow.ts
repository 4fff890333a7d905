import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { breather } from '../../../kernel/breather.ts';
import { newId, type WorkflowId } from '../../../kernel/ids.ts';
import { acceptGraph } from '../graph/accept-graph.ts';
import { Graph } from '../graph/graph.ts';
import { emptyGraph } from '../graph/stored-graph.ts';
import { writeGraph } from '../graph/written-graph.ts';
import { toWritten, Workflow, workflowInput } from './workflow.ts';
import { withoutGraph } from '../graph/workflow-rows.ts';

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
    const written = await writeGraph(accepted, breather(work.isCrowded));
    const made = await work.db
      .insertInto('workflows')
      .values({
        org_id: work.org,
        id,
        name,
        graph: written.text,
        created_at: work.now,
        updated_at: work.now,
      })
      .returning(withoutGraph)
      .executeTakeFirstOrThrow();
    work.touched['workflow_id'] = id;
    return { workflow: await toWritten(work, { ...made, graph: written.graph }) };
  },
});
