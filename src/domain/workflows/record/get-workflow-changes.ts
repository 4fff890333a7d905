import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { WorkflowId } from '../../../kernel/ids.ts';
import { changes, compareGraphs } from '../graph/compare-graphs.ts';
import { readVersion, requireWorkflow } from '../graph/workflow-rows.ts';
import { countWaiting } from '../runs/node-counts.ts';

export const getWorkflowChanges = defineOperation({
  name: 'get_workflow_changes',
  title: "Get a draft's changes",
  summary:
    'What publishing the draft of a workflow would change: which nodes it adds, changes and removes, and how many ' +
    'people wait at each now. They stay with the version they began with.',
  permission: 'workflows.read',
  effect: 'read',
  faces: { rest: ['GET /v1/workflows/:workflow_id/changes'] },
  input: z.strictObject({ workflow_id: WorkflowId }),
  output: z.object({
    workflow_id: WorkflowId,
    revision: z.int().describe('Of the draft that was compared.'),
    live_version: z.int().nullable(),
    changes: z
      .array(
        z.object({
          id: z.string().describe('trigger: what begins a run.'),
          change: z.enum(changes),
          waiting: z.int(),
        }),
      )
      .describe('Empty as long as nothing is live.'),
  }),
  handle: async (work, { workflow_id }) => {
    const row = await requireWorkflow(work, workflow_id);
    const live = await readVersion(work, workflow_id, row.live_version);
    const waiting = await countWaiting(work, workflow_id);
    return {
      workflow_id: row.id as WorkflowId,
      revision: row.revision,
      live_version: row.live_version,
      changes:
        live === undefined
          ? []
          : compareGraphs(row.graph, live).map((change) => ({
              ...change,
              waiting: waiting.get(change.id) ?? 0,
            })),
    };
  },
});
