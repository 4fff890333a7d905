import { sql } from 'kysely';
import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { WebinarId, type WorkflowId } from '../../../kernel/ids.ts';
import { MomentOut, outgoing } from '../../../kernel/moment.ts';
import { pageInput, pageOutput } from '../../../kernel/page.ts';
import { countsOf, RunCounts } from '../runs/run-counts.ts';
import { triggerTypes } from '../triggers/index.ts';
import { ListedWorkflow, statuses, toListed } from './workflow.ts';

const SurveyedWorkflow = ListedWorkflow.extend({
  has_unpublished_changes: z.boolean(),
  problems: z.int().describe('How many kept the draft from being published when it was last written.'),
  published_at: MomentOut.nullable().describe('When the live version was published.'),
  trigger: z
    .object({
      type: z.enum(Object.keys(triggerTypes) as [keyof typeof triggerTypes]),
      webinar_id: WebinarId.nullable(),
      webinar_title: z.string().nullable(),
      event_name: z.string().nullable(),
    })
    .describe('Of the live version, or of the draft while none is live.'),
  counts: RunCounts,
}).meta({ id: 'SurveyedWorkflow' });

export const surveyWorkflows = defineOperation({
  name: 'survey_workflows',
  title: 'Survey workflows',
  summary: 'Workflows, newest first, with what triggers each, how its draft stands and how many runs it has.',
  permission: 'workflows.read',
  effect: 'read',
  cost: 'heavy',
  faces: { rest: ['GET /v1/workflow-survey'] },
  input: z.strictObject({
    status: z.enum(statuses).optional(),
    has_unpublished_changes: z.boolean().optional(),
    query: z.string().trim().min(1).max(200).optional().describe('Part of the name.'),
    ...pageInput,
  }),
  output: z.object({ workflows: z.array(SurveyedWorkflow), ...pageOutput }),
  handle: async (work, { status, has_unpublished_changes: changed, query, limit, offset }) => {
    const ours = work.db
      .selectFrom('workflows as f')
      .where('f.org_id', '=', work.org)
      .$if(status !== undefined, (rows) => rows.where('f.status', '=', status!))
      .$if(changed !== undefined, (rows) => rows.where('f.changed', '=', changed!))
      .$if(query !== undefined, (rows) =>
        rows.where(sql<boolean>`position(lower(${query}) in lower(f.name)) > 0`),
      );
    const { total } = await ours
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    // Of a graph only its trigger is read, and only while no version is live: else the columns repeat it.
    const page = ours
      .select(['f.id', 'f.name', 'f.status', 'f.live_version', 'f.revision', 'f.created_at', 'f.updated_at'])
      .select(['f.changed', 'f.problems', 'f.trigger_kind', 'f.trigger_webinar_id', 'f.trigger_event'])
      .select(sql<Draft | null>`case when f.live_version is null then f.graph -> 'trigger' end`.as('draft'))
      .orderBy('f.created_at', 'desc')
      .orderBy('f.id', 'desc')
      .limit(limit)
      .offset(offset);
    const rows = await work.db
      .selectFrom(page.as('f'))
      .leftJoin('workflow_versions as v', (join) =>
        join
          .on('v.org_id', '=', work.org)
          .onRef('v.workflow_id', '=', 'f.id')
          .onRef('v.version', '=', 'f.live_version'),
      )
      .leftJoin('webinars as t', (join) =>
        join
          .on('t.org_id', '=', work.org)
          .on('t.id', '=', sql<string>`coalesce(f.trigger_webinar_id, (f.draft ->> 'webinar_id')::uuid)`),
      )
      .selectAll('f')
      .select(['v.published_at', 't.title'])
      .orderBy('f.created_at', 'desc')
      .orderBy('f.id', 'desc')
      .execute();
    const counts = await countsOf(
      work,
      rows.map(({ id }) => id as WorkflowId),
    );
    return {
      workflows: rows.map((row) => ({
        ...toListed(row),
        has_unpublished_changes: row.changed,
        problems: row.problems,
        published_at: outgoing(row.published_at),
        trigger: {
          type: (row.draft?.type ?? row.trigger_kind) as keyof typeof triggerTypes,
          webinar_id: (row.draft?.webinar_id ?? row.trigger_webinar_id) as WebinarId | null,
          webinar_title: row.title,
          event_name: row.draft?.event_name ?? row.trigger_event,
        },
        counts: counts.get(row.id) ?? { running: 0, ended: 0 },
      })),
      total,
      limit,
      offset,
    };
  },
});

interface Draft {
  readonly type: string;
  readonly webinar_id?: string | null;
  readonly event_name?: string;
}
