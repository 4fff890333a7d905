import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { WorkflowId } from '../../../kernel/ids.ts';
import { countWaiting, NodeCounts, readNodes } from '../runs/node-counts.ts';
import { countBegun, RunCounts } from '../runs/run-counts.ts';
import { graphOf } from '../graph/stored-graph.ts';
import { toWorkflow, Workflow } from './workflow.ts';
import { readVersion, requireWorkflow } from '../graph/workflow-rows.ts';

const part = z.record(z.string(), z.unknown());

export const getWorkflow = defineOperation({
  name: 'get_workflow',
  title: 'Get a workflow',
  summary:
    'A workflow with its draft as it was sent, what keeps that from being published, how many runs there are, and for ' +
    'each node of the live version how many wait there and what became of its messages.',
  permission: 'workflows.read',
  effect: 'read',
  faces: { rest: ['GET /v1/workflows/:workflow_id'], tool: true },
  input: z.strictObject({ workflow_id: WorkflowId }),
  output: z.object({
    workflow: Workflow.extend({
      graph: z.object({ trigger: part, nodes: z.array(part) }).describe('As in create_workflow.'),
      counts: RunCounts,
      nodes: z.array(NodeCounts),
    }),
  }),
  handle: async (work, { workflow_id }) => {
    const row = await requireWorkflow(work, workflow_id);
    const live = await readVersion(work, workflow_id, row.live_version);
    const { trigger, nodes } = graphOf(row.graph);
    const waiting = await countWaiting(work, workflow_id);
    const running = [...waiting.values()].reduce((sum, count) => sum + count, 0);
    return {
      workflow: {
        ...(await toWorkflow(work, row)),
        graph: { trigger: { ...trigger }, nodes: nodes.map((node) => ({ ...node })) },
        counts: { running, ended: (await countBegun(work, workflow_id)) - running },
        nodes:
          live === undefined
            ? []
            : await readNodes(work, workflow_id, live, { waiting, order: nodes.map(({ id }) => id) }),
      },
    };
  },
});
