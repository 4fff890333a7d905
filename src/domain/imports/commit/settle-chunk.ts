import type { Work } from '../../../database/work.ts';
import type { ImportId } from '../../../kernel/ids.ts';
import type { AppliedRows } from './apply-rows.ts';
import type { ImportRow, ImportStatus } from '../record/import.ts';
import { writeLeftOut } from '../record/left-out.ts';

export interface TakenRows extends AppliedRows {
  readonly upTo: number;
  /** Nothing was left to take. */
  readonly wereAll: boolean;
  readonly tellAgainAt: Date;
}

/** Records what came of the rows up to one, and forgets them. With the last of them the import is at its end. */
export async function settleChunk(work: Work, held: ImportRow, taken: TakenRows): Promise<'more' | 'done'> {
  await writeLeftOut(work, held.id as ImportId, taken.leftOut);
  await forgetRows(work, held, taken.upTo);
  const failed = taken.leftOut.filter(({ outcome }) => outcome === 'failed').length;
  const counts = {
    done_row: taken.upTo,
    succeeded: held.succeeded + taken.taken - taken.leftOut.length,
    failed: held.failed + failed,
    skipped: held.skipped + taken.leftOut.length - failed,
    people_created: held.people_created + taken.created,
    people_merged: held.people_merged + taken.merged,
    people_opted_out: held.people_opted_out + taken.optedOut,
  };
  const isLast = taken.wereAll || counts.succeeded + counts.failed + counts.skipped >= held.staged_rows;
  await work.db
    .updateTable('imports')
    .set(counts)
    .set(
      isLast
        ? {
            status: finalStatus(counts),
            finished_at: work.now,
            run_at: null,
            sample_rows: null,
            may_merge: null,
          }
        : { run_at: taken.tellAgainAt },
    )
    .where('org_id', '=', work.org)
    .where('id', '=', held.id)
    .execute();
  return isLast ? 'done' : 'more';
}

function finalStatus({ succeeded, failed }: { succeeded: number; failed: number }): ImportStatus {
  if (failed === 0) return 'completed';
  return succeeded === 0 ? 'failed' : 'completed_with_failures';
}

/** Deletes the rows that are done, because they are people's data. */
async function forgetRows({ db, org }: Work, { id }: ImportRow, upTo: number): Promise<void> {
  await db
    .deleteFrom('import_parts')
    .where('org_id', '=', org)
    .where('import_id', '=', id)
    .where('first_row', '<=', upTo)
    .where('last_row', '<=', upTo)
    .execute();
}
