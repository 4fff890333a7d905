import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { WorkflowId } from '../../../kernel/ids.ts';
import { MomentOut } from '../../../kernel/moment.ts';
import { requireWorkflow } from '../graph/workflow-rows.ts';

const part = z.record(z.string(), z.unknown());
const Drawn = z.object({ trigger: part, nodes: z.array(part) });

export const getWorkflowVersion = defineOperation({
  name: 'get_workflow_version',
  title: 'Get a published version of a workflow',
  summary: 'The graph of a workflow as it was published. Runs keep the version they began with.',
  permission: 'workflows.read',
  effect: 'read',
  faces: { rest: ['GET /v1/workflows/:workflow_id/published'] },
  input: z.strictObject({
    workflow_id: WorkflowId,
    version: z.int().min(1).optional().describe('The live one if not sent.'),
  }),
  output: z.object({
    version: z.int(),
    published_at: MomentOut.describe('When it was published.'),
    graph: Drawn.describe('As in create_workflow.'),
  }),
  handle: async (work, { workflow_id, version: asked }) => {
    const version = asked ?? (await requireWorkflow(work, workflow_id)).live_version;
    if (version === null)
      throw new Failure(
        'not_published',
        'The workflow is a draft, which get_workflow shows. Publish it first.',
      );
    const row = await work.db
      .selectFrom('workflow_versions')
      .select(['drawn', 'published_at'])
      .where('org_id', '=', work.org)
      .where('workflow_id', '=', workflow_id)
      .where('version', '=', version)
      .executeTakeFirst();
    if (row === undefined)
      throw new Failure('not_found', 'The workflow has no such version. get_workflow names the live one.');
    return {
      version,
      published_at: row.published_at.toISOString(),
      graph: row.drawn as unknown as z.input<typeof Drawn>,
    };
  },
});
