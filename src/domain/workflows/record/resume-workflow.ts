import { sql } from 'kysely';
import { z } from 'zod';
import { TryAgain } from '../../../database/org-transaction.ts';
import { defineOperation, type Work } from '../../../database/work.ts';
import { WorkflowId } from '../../../kernel/ids.ts';
import { holdClock, inClockOrder, setClock } from '../../waits/clock.ts';
import { refuseUnlessPublished } from './published-only.ts';
import { toWorkflow, Workflow } from './workflow.ts';
import { requireWorkflow } from '../graph/workflow-rows.ts';

export const resumeWorkflow = defineOperation({
  name: 'resume_workflow',
  title: 'Resume a workflow',
  summary:
    'Let a paused workflow go on, with the version that is published. Runs whose wait ended meanwhile go on at once; ' +
    "those whose moment by the webinar's time passed meanwhile take the wait's past way.",
  permission: 'workflows.write',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['POST /v1/workflows/:workflow_id/resume'], tool: true },
  input: z.strictObject({ workflow_id: WorkflowId }),
  output: z.object({ workflow: Workflow }),
  handle: async (work, { workflow_id }) => {
    await requireWorkflow(work, workflow_id);
    // Clocks before the workflow, as in a release.
    const clocks = await clocksHeld(work, workflow_id);
    for (const clock of clocks) await holdClock(work, clock);
    const row = await requireWorkflow(work, workflow_id, 'lock');
    refuseUnlessPublished(row);
    if (row.status === 'paused') {
      await work.db
        .updateTable('workflows')
        .set({ status: 'live', resumed_at: work.now, revision: row.revision + 1, updated_at: work.now })
        .where('org_id', '=', work.org)
        .where('id', '=', workflow_id)
        .execute();
      await releaseClocks(work, workflow_id, clocks);
      work.touched['workflow_id'] = workflow_id;
    }
    return { workflow: await toWorkflow(work, await requireWorkflow(work, workflow_id)) };
  },
});

/** The clocks of a workflow's held waits. */
async function clocksHeld(work: Work, workflow: WorkflowId): Promise<string[]> {
  const { db, org } = work;
  const rows = await db
    .selectFrom('waits')
    .select('clock_id')
    .distinct()
    .where('org_id', '=', org)
    .where('workflow_id', '=', workflow)
    .where('held', '=', true)
    .execute();
  return inClockOrder(
    work,
    rows.map(({ clock_id }) => clock_id),
  );
}

/** Makes waits that came due during the pause due now. While the workflow is locked, no more can be held back. */
async function releaseClocks(work: Work, workflow: WorkflowId, clocks: readonly string[]): Promise<void> {
  const { rows: woken } = await sql<{ clock_id: string }>`
    with waiting as (
      select run_id from waits where org_id = ${work.org} and workflow_id = ${workflow} and held
      order by run_id for update),
    woken as (
      update waits w set held = false from waiting
      where w.org_id = ${work.org} and w.run_id = waiting.run_id returning w.clock_id)
    select distinct clock_id from woken`.execute(work.db);
  if (woken.some(({ clock_id }) => !clocks.includes(clock_id))) throw new TryAgain();
  for (const clock of clocks) await setClock(work, clock);
}
