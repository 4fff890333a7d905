import { Failure } from '../../../kernel/failure.ts';
import type { WorkflowRow } from '../graph/workflow-rows.ts';

/** A draft has no runs to pause or to resume. */
export function refuseUnlessPublished({ status }: WorkflowRow): void {
  if (status !== 'draft') return;
  throw new Failure('not_published', 'The workflow is a draft and runs for nobody. Publish it first.');
}
