import { z } from 'zod';
import type { Work } from '../../../database/work.ts';
import type { PersonId, WebinarId, WorkflowId } from '../../../kernel/ids.ts';

export const RunCounts = z.object({ running: z.int(), ended: z.int() }).meta({ id: 'WorkflowRunCounts' });

/** How many runs a workflow has begun, for a webinar or in all: the sum of steps that are folded from time to time. */
export const countBegun = async (work: Work, workflow: WorkflowId): Promise<number> =>
  (await sumSteps(work, workflow)).begun;

/** `kept`: how many of them are not past what is kept. */
async function sumSteps(
  { db, org }: Work,
  workflow: WorkflowId,
  webinar?: string,
): Promise<{ begun: number; kept: number }> {
  const { begun, forgotten } = await db
    .selectFrom('workflow_run_counts')
    .select((eb) => [
      eb.fn.coalesce(eb.fn.sum<number>('step'), eb.lit(0)).as('begun'),
      eb.fn.coalesce(eb.fn.sum<number>('forgotten'), eb.lit(0)).as('forgotten'),
    ])
    .where('org_id', '=', org)
    .where('workflow_id', '=', workflow)
    .$if(webinar !== undefined, (query) => query.where('webinar_id', '=', webinar!))
    .executeTakeFirstOrThrow();
  return { begun: Number(begun), kept: Number(begun) - Number(forgotten) };
}

/** The runs of many workflows, in two queries. Under way are as many as there are waits. */
export async function countsOf(
  { db, org }: Work,
  workflows: readonly WorkflowId[],
): Promise<ReadonlyMap<string, z.infer<typeof RunCounts>>> {
  if (workflows.length === 0) return new Map();
  const begun = await db
    .selectFrom('workflow_run_counts')
    .select((eb) => ['workflow_id', eb.fn.sum<number>('step').as('begun')])
    .where('org_id', '=', org)
    .where('workflow_id', 'in', workflows)
    .groupBy('workflow_id')
    .execute();
  const waiting = await db
    .selectFrom('waits')
    .select((eb) => ['workflow_id', eb.fn.countAll<number>().as('running')])
    .where('org_id', '=', org)
    .where('workflow_id', 'in', workflows)
    .groupBy('workflow_id')
    .execute();
  const running = new Map(waiting.map((row) => [row.workflow_id, row.running]));
  return new Map(
    begun.map((row) => {
      const under_way = running.get(row.workflow_id) ?? 0;
      return [row.workflow_id, { running: under_way, ended: Number(row.begun) - under_way }];
    }),
  );
}

/** How many runs are under way: each has exactly one wait. */
async function countRunning({ db, org }: Work, workflow: WorkflowId, webinar?: string): Promise<number> {
  const { running } = await db
    .selectFrom('waits')
    .select((eb) => eb.fn.countAll<number>().as('running'))
    .where('org_id', '=', org)
    .where('workflow_id', '=', workflow)
    .$if(webinar !== undefined, (query) => query.where('clock_id', '=', webinar!))
    .executeTakeFirstOrThrow();
  return running;
}

export interface Asked {
  readonly state?: 'running' | 'ended' | undefined;
  readonly person_id?: PersonId | undefined;
  readonly webinar_id?: WebinarId | undefined;
  /** Only runs that wait at this node. */
  readonly node?: string | undefined;
}

/** How many runs of a workflow match a list's filters. Those of one person are few, and counted one by one. */
export async function countMatching(work: Work, workflow: WorkflowId, asked: Asked): Promise<number> {
  const { state, person_id, webinar_id, node } = asked;
  if (node !== undefined) return state === 'ended' ? 0 : countAt(work, workflow, { ...asked, node });
  if (person_id !== undefined) return countOfPerson(work, workflow, { ...asked, person_id });
  if (state === 'running') return countRunning(work, workflow, webinar_id);
  const { kept } = await sumSteps(work, workflow, webinar_id);
  return state === undefined ? kept : kept - (await countRunning(work, workflow, webinar_id));
}

async function countOfPerson(
  { db, org }: Work,
  workflow: WorkflowId,
  { state, person_id, webinar_id }: Asked & { readonly person_id: PersonId },
): Promise<number> {
  const { total } = await db
    .selectFrom('workflow_runs')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('org_id', '=', org)
    .where('workflow_id', '=', workflow)
    .where('person_id', '=', person_id)
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
    .$if(webinar_id !== undefined, (query) => query.where('webinar_id', '=', webinar_id!))
    .executeTakeFirstOrThrow();
  return total;
}

async function countAt(
  { db, org }: Work,
  workflow: WorkflowId,
  { node, person_id, webinar_id }: Asked & { readonly node: string },
): Promise<number> {
  const { total } = await db
    .selectFrom('waits')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('org_id', '=', org)
    .where('workflow_id', '=', workflow)
    .where('node', '=', node)
    .$if(person_id !== undefined, (query) => query.where('person_id', '=', person_id!))
    .$if(webinar_id !== undefined, (query) => query.where('clock_id', '=', webinar_id!))
    .executeTakeFirstOrThrow();
  return total;
}
