import { sql } from 'kysely';
import { z } from 'zod';
import type { Work } from '../../../database/work.ts';
import { PersonId, WebinarId, WorkflowId, WorkflowRunId } from '../../../kernel/ids.ts';
import { MomentOut, outgoing } from '../../../kernel/moment.ts';
import { momentOf } from '../../waits/clock.ts';
import type { Step } from './walk.ts';

export const states = ['running', 'ended'] as const;

/** One person's way through a workflow, as lists show it. */
export const ListedRun = z
  .object({
    id: WorkflowRunId,
    workflow_id: WorkflowId,
    version: z.int(),
    person_id: PersonId,
    webinar_id: WebinarId.nullable(),
    state: z.enum(states),
    outcome: z.string().nullable().describe('How it ended, e.g. completed or webinar_canceled.'),
    waiting: z
      .object({
        node: z.string(),
        until: MomentOut.describe("By the webinar's time as it stands now."),
        held: z.boolean().describe('It is over, and the workflow is paused.'),
      })
      .nullable(),
    started_at: MomentOut,
    ended_at: MomentOut.nullable(),
  })
  .meta({ id: 'ListedWorkflowRun' });

export const Run = ListedRun.extend({
  path: z
    .array(z.object({ node: z.string(), at: MomentOut, did: z.string() }))
    .describe('Where it has been, when, and which way it went.'),
}).meta({ id: 'WorkflowRun' });

/** Runs with their waits; the end of an anchored wait is computed from the webinar as it stands. */
export const selectRuns = (work: Work) =>
  work.db
    .selectFrom('workflow_runs as r')
    .leftJoin('waits as w', (join) => join.onRef('w.org_id', '=', 'r.org_id').onRef('w.run_id', '=', 'r.id'))
    .leftJoin('webinars as t', (join) =>
      join.onRef('t.org_id', '=', 'r.org_id').onRef('t.id', '=', 'r.webinar_id'),
    )
    .select(['r.id', 'r.workflow_id', 'r.version', 'r.person_id', 'r.webinar_id', 'r.state', 'r.outcome'])
    .select(['r.started_at', 'r.ended_at', 'w.node', 'w.held'])
    .select(
      sql<Date | null>`coalesce(w.due_at, w.offset_ms * interval '1 millisecond' +
        case w.anchor when 'start' then ${momentOf('start')} else ${momentOf('end')} end)`.as('until'),
    )
    .where('r.org_id', '=', work.org);

type RunRow = Awaited<ReturnType<ReturnType<typeof selectRuns>['execute']>>[number];

export const toListedRun = (row: RunRow): z.input<typeof ListedRun> => ({
  id: row.id as WorkflowRunId,
  workflow_id: row.workflow_id as WorkflowId,
  version: row.version,
  person_id: row.person_id as PersonId,
  webinar_id: row.webinar_id as WebinarId | null,
  state: row.state as (typeof states)[number],
  outcome: row.outcome,
  waiting:
    row.node === null || row.until === null
      ? null
      : { node: row.node, until: row.until.toISOString(), held: row.held === true },
  started_at: row.started_at.toISOString(),
  ended_at: outgoing(row.ended_at),
});

/** Steps are stored as JSON, with their moments as text. */
type KeptStep = Omit<Step, 'at'> & { readonly at: string };

export const toRun = (row: RunRow & { readonly path: unknown }): z.input<typeof Run> => ({
  ...toListedRun(row),
  path: (row.path as KeptStep[]).map(({ node, at, did }) => ({
    node,
    at: new Date(at).toISOString(),
    did,
  })),
});
