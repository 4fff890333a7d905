import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { WorkflowId } from '../../../kernel/ids.ts';
import { countBegun } from '../runs/run-counts.ts';
import { requireWorkflow } from '../graph/workflow-rows.ts';

export const deleteWorkflow = defineOperation({
  name: 'delete_workflow',
  title: 'Delete a workflow',
  summary:
    'Delete a workflow that nobody has gone through, with its draft and its versions. Pause any other.',
  permission: 'workflows.write',
  effect: 'destroy',
  faces: { rest: ['DELETE /v1/workflows/:workflow_id'] },
  input: z.strictObject({ workflow_id: WorkflowId }),
  output: z.object({ deleted: z.literal(true), workflow_id: WorkflowId }),
  handle: async (work, { workflow_id: asked }) => {
    const workflow_id = (await requireWorkflow(work, asked, 'lock')).id as WorkflowId;
    if ((await countBegun(work, workflow_id)) > 0 || (await hasSent(work, workflow_id))) {
      throw new Failure(
        'already_used',
        `People have gone through it, so it stays on record. POST /v1/workflows/${workflow_id}/pause keeps anybody ` +
          'new from entering.',
      );
    }
    // A run that begins at this very moment finds no workflow when its clock rings, and ends.
    await work.db
      .deleteFrom('workflows')
      .where('org_id', '=', work.org)
      .where('id', '=', workflow_id)
      .execute();
    work.touched['workflow_id'] = workflow_id;
    return { deleted: true as const, workflow_id };
  },
});

/** Asks the totals, which stay when runs are deleted with their people. */
async function hasSent({ db, org }: Work, workflow: WorkflowId): Promise<boolean> {
  const found = await db
    .selectFrom('broadcasts')
    .select('id')
    .where('org_id', '=', org)
    .where('workflow_id', '=', workflow)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
