import type { Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import type { WorkflowId } from '../../../kernel/ids.ts';

/** Requires that a webinar's workflow exists. One deleted at this moment fails the foreign key instead. */
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
