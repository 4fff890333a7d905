import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { WorkflowId } from '../../../kernel/ids.ts';
import { refuseUnlessPublished } from './published-only.ts';
import { toWorkflow, Workflow } from './workflow.ts';
import { requireWorkflow } from '../graph/workflow-rows.ts';

export const pauseWorkflow = defineOperation({
  name: 'pause_workflow',
  title: 'Pause a workflow',
  summary:
    'Nobody new enters, and runs under way stay where they are: what becomes due is held until resume_workflow. ' +
    'Messages handed over already are not called back.',
  permission: 'workflows.write',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['POST /v1/workflows/:workflow_id/pause'], tool: true },
  input: z.strictObject({ workflow_id: WorkflowId }),
  output: z.object({ workflow: Workflow }),
  handle: async (work, { workflow_id }) => {
    const row = await requireWorkflow(work, workflow_id, 'lock');
    refuseUnlessPublished(row);
    if (row.status !== 'paused') {
      await work.db
        .updateTable('workflows')
        .set({ status: 'paused', revision: row.revision + 1, updated_at: work.now })
        .where('org_id', '=', work.org)
        .where('id', '=', workflow_id)
        .execute();
      work.touched['workflow_id'] = workflow_id;
    }
    return { workflow: await toWorkflow(work, await requireWorkflow(work, workflow_id)) };
  },
});
