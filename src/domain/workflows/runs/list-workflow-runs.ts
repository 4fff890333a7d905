import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { PersonId, WebinarId, WorkflowId } from '../../../kernel/ids.ts';
import { pageInput, pageOutput } from '../../../kernel/page.ts';
import { countMatching } from './run-counts.ts';
import { requireAsked, selectMatching } from './run-page.ts';
import { ListedRun, states, toListedRun } from './run.ts';

export const listWorkflowRuns = defineOperation({
  name: 'list_workflow_runs',
  title: 'List the runs of a workflow',
  summary: 'Runs of a workflow, the latest first, and where each waits. All filters sent must hold.',
  permission: 'workflows.read',
  effect: 'read',
  faces: { rest: ['GET /v1/workflows/:workflow_id/runs'], tool: true },
  input: z.strictObject({
    workflow_id: WorkflowId,
    state: z.enum(states).optional(),
    person_id: PersonId.optional(),
    webinar_id: WebinarId.optional(),
    ...pageInput,
  }),
  output: z.object({ runs: z.array(ListedRun), ...pageOutput }),
  handle: async (work, { workflow_id, limit, offset, ...filters }) => {
    await requireAsked(work, workflow_id, filters);
    const page = await selectMatching(work, workflow_id, filters).limit(limit).offset(offset).execute();
    const total = await countMatching(work, workflow_id, filters);
    return { runs: page.map(toListedRun), total, limit, offset };
  },
});
