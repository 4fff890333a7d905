import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { WorkflowRunId } from '../../../kernel/ids.ts';
import { Failure } from '../../../kernel/failure.ts';
import { channels } from '../../broadcasts/draft/broadcast.ts';
import { Recipient, toRecipient } from '../../broadcasts/outcome/recipient.ts';
import { summaryOf } from '../../broadcasts/outcome/outcome-summary.ts';

const most = 200;

export const listRunMessages = defineOperation({
  name: 'list_run_messages',
  title: 'List the messages of a workflow run',
  summary: `What a run sent or did not send, in the order in which it came by, each with the reason in a sentence; the first ${most}.`,
  permission: 'workflows.read',
  effect: 'read',
  faces: { rest: ['GET /v1/workflow-runs/:run_id/messages'] },
  input: z.strictObject({ run_id: WorkflowRunId }),
  output: z.object({
    messages: z.array(
      Recipient.omit({ person_id: true })
        .extend({
          node: z.string(),
          channel: z.enum(channels),
          subject: z.string().nullable(),
          summary: z.string(),
        })
        .meta({ id: 'RunMessage' }),
    ),
  }),
  handle: async (work, { run_id }) => {
    const run = await work.db
      .selectFrom('workflow_runs')
      .select('person_id')
      .where('org_id', '=', work.org)
      .where('id', '=', run_id)
      .executeTakeFirst();
    if (run === undefined)
      throw new Failure('not_found', 'No workflow run with this id exists in this organization.');
    const rows = await work.db
      .selectFrom('deliveries as d')
      .innerJoin('broadcasts as b', (join) =>
        join.onRef('b.org_id', '=', 'd.org_id').onRef('b.id', '=', 'd.broadcast_id'),
      )
      .selectAll('d')
      .select(['b.node', 'b.channel', 'b.subject', 'b.status'])
      .where('d.org_id', '=', work.org)
      .where('d.person_id', '=', run.person_id)
      .where('d.run_id', '=', run_id)
      .orderBy('d.id')
      .limit(most)
      .execute();
    return {
      messages: rows.map((row) => {
        const { person_id: _, ...ended } = toRecipient(row);
        const { node, subject } = row;
        const channel = row.channel as (typeof channels)[number];
        return { ...ended, node: node ?? '', channel, subject, summary: summaryOf(row, row) };
      }),
    };
  },
});
