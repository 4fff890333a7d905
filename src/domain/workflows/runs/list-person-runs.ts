import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { PersonId } from '../../../kernel/ids.ts';
import { pageInput, pageOutput } from '../../../kernel/page.ts';
import { requirePerson } from '../../identifiers/require-person.ts';
import { ListedRun, selectRuns, toListedRun } from './run.ts';

export const listPersonRuns = defineOperation({
  name: 'list_person_runs',
  title: "List a person's workflow runs",
  summary: "A person's ways through workflows, the latest first, and where each waits.",
  permission: 'workflows.read',
  effect: 'read',
  faces: { rest: ['GET /v1/people/:person_id/runs'] },
  input: z.strictObject({ person_id: PersonId, ...pageInput }),
  output: z.object({
    runs: z.array(ListedRun.extend({ workflow_name: z.string() }).meta({ id: 'PersonWorkflowRun' })),
    ...pageOutput,
  }),
  handle: async (work, { person_id, limit, offset }) => {
    await requirePerson(work, person_id);
    const { total } = await work.db
      .selectFrom('workflow_runs')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('org_id', '=', work.org)
      .where('person_id', '=', person_id)
      .executeTakeFirstOrThrow();
    const rows = await selectRuns(work)
      .innerJoin('workflows as f', (join) =>
        join.onRef('f.org_id', '=', 'r.org_id').onRef('f.id', '=', 'r.workflow_id'),
      )
      .select('f.name as workflow_name')
      .where('r.person_id', '=', person_id)
      .orderBy('r.started_at', 'desc')
      .orderBy('r.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    return {
      runs: rows.map((row) => ({ ...toListedRun(row), workflow_name: row.workflow_name })),
      total,
      limit,
      offset,
    };
  },
});
