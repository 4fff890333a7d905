import type { Work } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';
import type { WorkflowId } from '../../kernel/ids.ts';

/** That the workflow a webinar is associated with is there. One that goes at this moment fails the reference instead. */
export async function requireAutomation({ db, org }: Work, id: WorkflowId): Promise<void> {
  const found = await db
    .selectFrom('workflows')
    .select('id')
    .where('org_id', '=', org)
    .where('id', '=', id)
    .executeTakeFirst();
  if (found === undefined) {
    throw new Failure('not_found', 'automation_id: no workflow with this id exists in this organization.');
  }
}
