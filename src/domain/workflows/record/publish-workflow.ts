import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { Failure, sayErrors } from '../../../kernel/failure.ts';
import { WorkflowId } from '../../../kernel/ids.ts';
import { compileGraph } from '../graph/compile-graph.ts';
import { findProblems } from '../graph/find-problems.ts';
import { graphOf } from '../graph/stored-graph.ts';
import { holdWithSenders } from './hold-senders.ts';
import type { Problem } from '../graph/problem.ts';
import { triggerTypeOf } from '../triggers/index.ts';
import { isSame, toWorkflow, Workflow } from './workflow.ts';
import { readVersion, refuseUnlessAt, requireWorkflow, type WorkflowRow } from '../graph/workflow-rows.ts';

export const publishWorkflow = defineOperation({
  name: 'publish_workflow',
  title: 'Publish a workflow',
  summary:
    'Make the draft live: from now on registrations or events start runs of it, which send messages to real people by ' +
    'themselves. Ask the person first. Runs under way stay with the version they began with. Refused as long as it ' +
    'has problems. A paused workflow stays paused.',
  permission: 'workflows.write',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['POST /v1/workflows/:workflow_id/publish'], tool: true },
  input: z.strictObject({
    workflow_id: WorkflowId,
    revision: z.int().min(1).optional().describe('Publish only if the draft is still at this one.'),
  }),
  output: z.object({ workflow: Workflow }),
  handle: async (work, { workflow_id, revision }) => {
    const row = await holdWithSenders(work, workflow_id);
    refuseUnlessAt(row, revision);
    const problems = await findProblems(work, row.graph);
    if (problems.length > 0) throw incomplete(problems);
    const live = await readVersion(work, workflow_id, row.live_version);
    if (live === undefined || !isSame(row.graph, live)) {
      await publish(work, row);
      work.touched['workflow_id'] = workflow_id;
    }
    return { workflow: await toWorkflow(work, await requireWorkflow(work, workflow_id)) };
  },
});

async function publish({ db, org, now }: Work, row: WorkflowRow): Promise<void> {
  const live = compileGraph(row.graph);
  const { last } = await db
    .selectFrom('workflow_versions')
    .select((eb) => eb.fn.max('version').as('last'))
    .where('org_id', '=', org)
    .where('workflow_id', '=', row.id)
    .executeTakeFirstOrThrow();
  const version = (last ?? 0) + 1;
  await db
    .insertInto('workflow_versions')
    .values({
      org_id: org,
      workflow_id: row.id,
      version,
      graph: JSON.stringify(live),
      drawn: JSON.stringify(graphOf(row.graph)),
      published_at: now,
    })
    .execute();
  const { trigger } = live;
  await db
    .updateTable('workflows')
    .set({
      status: row.status === 'draft' ? 'live' : row.status,
      live_version: version,
      trigger_kind: trigger.type,
      ...triggerTypeOf(trigger).columns(trigger),
      revision: row.revision + 1,
      changed: false,
      problems: 0,
      updated_at: now,
    })
    .where('org_id', '=', org)
    .where('id', '=', row.id)
    .execute();
}

export function incomplete(problems: readonly Problem[]): Failure {
  const errors = problems.map(({ pointer, code, message }) => ({ pointer, code, detail: message }));
  return new Failure('workflow_incomplete', sayErrors(errors), { errors });
}
