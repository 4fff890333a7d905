import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { pageInput, pageOutput } from '../../../kernel/page.ts';
import { ListedWorkflow, statuses, toListed } from './workflow.ts';

export const listWorkflows = defineOperation({
  name: 'list_workflows',
  title: 'List workflows',
  summary: 'Workflows, newest first, without their graphs.',
  permission: 'workflows.read',
  effect: 'read',
  faces: { rest: ['GET /v1/workflows'], tool: true },
  input: z.strictObject({ status: z.enum(statuses).optional(), ...pageInput }),
  output: z.object({ workflows: z.array(ListedWorkflow), ...pageOutput }),
  handle: async (work, { status, limit, offset }) => {
    const ours = work.db
      .selectFrom('workflows')
      .where('org_id', '=', work.org)
      .$if(status !== undefined, (query) => query.where('status', '=', status!));
    const { total } = await ours
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = await ours
      .select(['id', 'name', 'status', 'live_version', 'revision', 'created_at', 'updated_at'])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    return { workflows: rows.map(toListed), total, limit, offset };
  },
});
