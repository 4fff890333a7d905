import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { newId, PersonId, WebinarId, WorkflowId } from '../../../kernel/ids.ts';
import { Moment } from '../../../kernel/moment.ts';
import { requirePerson } from '../../identifiers/require-person.ts';
import { requireWebinar } from '../../webinars/record/webinar.ts';
import { compileGraph } from '../graph/compile-graph.ts';
import { simulatePeople } from '../runs/simulate-people.ts';
import { findProblems } from '../graph/find-problems.ts';
import type { LiveGraph } from '../graph/live-graph.ts';
import { incomplete } from './publish-workflow.ts';
import { SimulatedMessage } from '../shape/simulated-message.ts';
import { SimulatedStep, toSteps } from '../runs/simulated-steps.ts';
import { readTimes, type WebinarTimes } from '../shape/times.ts';
import { hasWebinar } from '../triggers/index.ts';
import { readVersion, requireWorkflow, type WorkflowRow } from '../graph/workflow-rows.ts';

const mostPeople = 10_000;
const farthestMs = 366 * 86_400_000;
const mostWaits = 100; // a workflow may loop for ever

export const simulateWorkflow = defineOperation({
  name: 'simulate_workflow',
  title: 'Simulate a workflow',
  summary:
    'See what a workflow would send to whom and when, without writing or sending: for one person step by step, or for ' +
    'all registrants of a webinar summed up. People, attendance and opt-outs are as they stand now.',
  permission: 'workflows.read',
  effect: 'read',
  cost: 'heavy',
  faces: { rest: ['POST /v1/workflows/:workflow_id/simulate'], tool: true },
  input: z
    .strictObject({
      workflow_id: WorkflowId,
      version: z.enum(['draft', 'live']).default('draft'),
      webinar_id: WebinarId.optional().describe('Needed when registrations trigger it.'),
      person_id: PersonId.optional().describe(
        'Only this person, registered or not; without it all registrants.',
      ),
      made_up: z.literal(true).optional().describe('Only somebody new, for whom no condition holds.'),
      start_at: Moment.optional().describe('When they would register; now if not sent.'),
      attended: z
        .boolean()
        .optional()
        .describe('Suppose everybody attended, or nobody did; else as recorded.'),
      webinar_starts_at: Moment.optional().describe('Suppose the webinar started then.'),
    })
    .refine(
      ({ webinar_id, person_id, made_up }) => (webinar_id ?? person_id ?? made_up) !== undefined,
      'Send webinar_id, person_id or both.',
    )
    .refine(
      ({ person_id, made_up }) => person_id === undefined || made_up === undefined,
      'A person is made up or has a person_id, one of the two.',
    )
    .refine(
      ({ webinar_id, webinar_starts_at }) => webinar_id !== undefined || webinar_starts_at === undefined,
      'webinar_starts_at goes with webinar_id.',
    ),
  output: z.object({
    workflow_id: WorkflowId,
    version: z.enum(['draft', 'live']),
    people: z.int(),
    messages: z.array(SimulatedMessage),
    steps: z.array(SimulatedStep).describe('Of one person, in order; empty for many.'),
    under_way: z.int().describe('Who would still wait after a year or a hundred waits.'),
    complete: z.boolean().describe('False when only the first registrants by id were simulated.'),
  }),
  handle: async (
    work,
    { workflow_id, version, webinar_id, person_id, made_up, start_at, attended, ...supposed },
  ) => {
    if (person_id !== undefined) await requirePerson(work, person_id);
    const row = await requireWorkflow(work, workflow_id);
    if (webinar_id !== undefined) await requireWebinar(work, webinar_id);
    const graph = await graphOf(work, row, version);
    if (webinar_id === undefined && hasWebinar(row.graph)) {
      throw new Failure(
        'invalid_request',
        'Send webinar_id: whose registrants, and reckoned from which time?',
      );
    }
    const alone = made_up === true ? newId<PersonId>(work.now) : person_id;
    const people = alone === undefined ? await registrants(work, webinar_id!) : [alone];
    const startAt = start_at ?? work.now;
    const course = {
      graph,
      times: await timesOf(work, webinar_id, supposed.webinar_starts_at),
      question: { webinar_id: webinar_id ?? null, supposed: { attended } },
      startAt,
      limits: { until: new Date(startAt.getTime() + farthestMs), mostWaits },
    };
    const simulated = await simulatePeople(work, course, people.slice(0, mostPeople));
    return {
      workflow_id,
      version,
      people: simulated.people,
      messages: simulated.messages,
      steps: alone === undefined ? [] : toSteps(graph, simulated.steps),
      under_way: simulated.underWay,
      complete: simulated.people === people.length,
    };
  },
});

/** The published graph, or the draft as it would be published. */
async function graphOf(work: Work, row: WorkflowRow, version: 'draft' | 'live'): Promise<LiveGraph> {
  if (version === 'live') {
    const live = await readVersion(work, row.id, row.live_version);
    if (live === undefined)
      throw new Failure('not_published', 'The workflow is a draft. Publish it, or simulate that.');
    return live;
  }
  const problems = await findProblems(work, row.graph);
  if (problems.length > 0) throw incomplete(problems);
  return JSON.parse(JSON.stringify(compileGraph(row.graph))) as LiveGraph;
}

/** The webinar's times, or as if it had always been planned for another start: nobody's moment passed by the move. */
async function timesOf(
  work: Work,
  webinar: string | undefined,
  start: Date | undefined,
): Promise<WebinarTimes | undefined> {
  const times = webinar === undefined ? undefined : await readTimes(work, webinar);
  if (times === undefined || start === undefined) return times;
  const lasts = times.end.getTime() - times.start.getTime();
  return { ...times, start, end: new Date(start.getTime() + lasts), movedAt: null };
}

async function registrants({ db, org }: Work, webinar: string): Promise<PersonId[]> {
  const rows = await db
    .selectFrom('registrations')
    .select('person_id')
    .where('org_id', '=', org)
    .where('webinar_id', '=', webinar)
    .orderBy('person_id')
    .limit(mostPeople + 1)
    .execute();
  return rows.map(({ person_id }) => person_id as PersonId);
}
