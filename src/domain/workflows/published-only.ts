import { Failure } from '../../kernel/failure.ts';
import type { WorkflowRow } from './workflow-rows.ts';

/** A draft runs for nobody: there is nothing of it to pause or to resume. */
export function refuseUnlessPublished({ status }: WorkflowRow): void {
  if (status !== 'draft') return;
  throw new Failure('not_published', 'The workflow is a draft and runs for nobody. Publish it first.');
}
