import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { WorkflowRunId } from '../../../kernel/ids.ts';
import { Run, selectRuns, toRun } from './run.ts';

export const getWorkflowRun = defineOperation({
  name: 'get_workflow_run',
  title: 'Get a workflow run',
  summary:
    "One person's way through a workflow: where it has been and why, where it waits and until when, how it ended.",
  permission: 'workflows.read',
  effect: 'read',
  faces: { rest: ['GET /v1/workflow-runs/:run_id'], tool: true },
  input: z.strictObject({ run_id: WorkflowRunId }),
  output: z.object({ run: Run }),
  handle: async (work, { run_id }) => {
    const row = await selectRuns(work).select('r.path').where('r.id', '=', run_id).executeTakeFirst();
    if (row === undefined)
      throw new Failure('not_found', 'No workflow run with this id exists in this organization.');
    return { run: toRun(row) };
  },
});
