import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { PersonId, WebinarId, WorkflowId } from '../../../kernel/ids.ts';
import { MomentOut, outgoing } from '../../../kernel/moment.ts';
import { pageInput, pageOutput } from '../../../kernel/page.ts';
import { NamedPerson, readNamedPeople } from '../../people/record/named-people.ts';
import { countMatching } from './run-counts.ts';
import { requireAsked, selectMatching } from './run-page.ts';
import { ListedRun, states, toListedRun } from './run.ts';

export const listWorkflowPeople = defineOperation({
  name: 'list_workflow_people',
  title: 'List who is in a workflow',
  summary:
    'The runs of list_workflow_runs with the name of each person, their webinar and since when they stand where they ' +
    'stand; also of one node alone. All filters sent must hold.',
  permission: 'workflows.read',
  effect: 'read',
  faces: { rest: ['GET /v1/workflows/:workflow_id/people'] },
  input: z.strictObject({
    workflow_id: WorkflowId,
    node: z.string().min(1).max(100).optional().describe('Only those who wait at this node.'),
    state: z.enum(states).optional(),
    person_id: PersonId.optional(),
    webinar_id: WebinarId.optional(),
    ...pageInput,
  }),
  output: z.object({
    runs: z.array(
      ListedRun.extend({
        since: MomentOut.nullable().describe('When they came to where they wait; null when they do not.'),
        person: NamedPerson,
        webinar_title: z.string().nullable(),
      }).meta({ id: 'NamedWorkflowRun' }),
    ),
    ...pageOutput,
  }),
  handle: async (work, { workflow_id, limit, offset, ...filters }) => {
    await requireAsked(work, workflow_id, filters);
    const page = await selectMatching(work, workflow_id, filters)
      .select(['w.began_at', 't.title'])
      .limit(limit)
      .offset(offset)
      .execute();
    const people = await readNamedPeople(
      work,
      page.map(({ person_id }) => person_id),
    );
    const total = await countMatching(work, workflow_id, filters);
    return {
      runs: page.map((row) => ({
        ...toListedRun(row),
        since: outgoing(row.began_at),
        person: people.get(row.person_id) ?? null,
        webinar_title: row.title,
      })),
      total,
      limit,
      offset,
    };
  },
});
