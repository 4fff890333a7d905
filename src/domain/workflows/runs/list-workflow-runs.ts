import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { PersonId, WebinarId, WorkflowId } from '../../../kernel/ids.ts';
import { pageInput, pageOutput } from '../../../kernel/page.ts';
import { requirePerson } from '../../identifiers/require-person.ts';
import { requireWebinar } from '../../webinars/record/webinar.ts';
import { countMatching } from './run-counts.ts';
import { ListedRun, selectRuns, states, toListedRun } from './run.ts';
import { requireWorkflow } from '../graph/workflow-rows.ts';

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
    if (filters.person_id !== undefined) await requirePerson(work, filters.person_id);
    await requireWorkflow(work, workflow_id);
    if (filters.webinar_id !== undefined) await requireWebinar(work, filters.webinar_id);
    const { state, person_id, webinar_id } = filters;
    const page = await selectRuns(work)
      .where('r.workflow_id', '=', workflow_id)
      .$if(state !== undefined, (query) => query.where('r.state', '=', state!))
      // Where few of many runs are under way, their waits find them faster.
      .$if(state === 'running', (query) => query.where('w.workflow_id', '=', workflow_id))
      .$if(person_id !== undefined, (query) => query.where('r.person_id', '=', person_id!))
      .$if(webinar_id !== undefined, (query) => query.where('r.webinar_id', '=', webinar_id!))
      .orderBy('r.started_at', 'desc')
      .orderBy('r.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    const total = await countMatching(work, workflow_id, filters);
    return { runs: page.map(toListedRun), total, limit, offset };
  },
});
