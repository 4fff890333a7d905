import type { Work } from '../../../database/work.ts';
import type { WorkflowId } from '../../../kernel/ids.ts';
import { requirePerson } from '../../identifiers/require-person.ts';
import { requireWebinar } from '../../webinars/record/webinar.ts';
import { requireWorkflow } from '../graph/workflow-rows.ts';
import type { Asked } from './run-counts.ts';
import { selectRuns } from './run.ts';

/** Refuses whatever is not there, or belongs to another organization. */
export async function requireAsked(work: Work, workflow: WorkflowId, asked: Asked): Promise<void> {
  if (asked.person_id !== undefined) await requirePerson(work, asked.person_id);
  await requireWorkflow(work, workflow);
  if (asked.webinar_id !== undefined) await requireWebinar(work, asked.webinar_id);
}

/** Runs of a workflow that match a list's filters, the latest first. */
export const selectMatching = (
  work: Work,
  workflow: WorkflowId,
  { state, person_id, webinar_id, node }: Asked,
) =>
  selectRuns(work)
    .where('r.workflow_id', '=', workflow)
    .$if(state !== undefined, (query) => query.where('r.state', '=', state!))
    // Where few of many runs are under way, their waits find them faster.
    .$if(state === 'running' || node !== undefined, (query) => query.where('w.workflow_id', '=', workflow))
    .$if(node !== undefined, (query) => query.where('w.node', '=', node!))
    .$if(person_id !== undefined, (query) => query.where('r.person_id', '=', person_id!))
    .$if(webinar_id !== undefined, (query) => query.where('r.webinar_id', '=', webinar_id!))
    .orderBy('r.started_at', 'desc')
    .orderBy('r.id', 'desc');
