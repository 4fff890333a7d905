import { forgetPlans, planForAny } from '../../../database/planner.ts';
import type { Work } from '../../../database/work.ts';
import type { ImportId } from '../../../kernel/ids.ts';
import { writeAudit } from '../../orgs/audit.ts';
import { applyRows } from './apply-rows.ts';
import { applyOrGiveUp } from './give-up.ts';
import type { ImportRow } from '../record/import.ts';
import { settleChunk } from './settle-chunk.ts';
import { readStaged } from '../record/staged-rows.ts';

export interface ChunkOptions {
  readonly mostRows: number;
  /** When to tell the engine again if this import falls silent, by the service's clock. */
  readonly tellAgainAt: Date;
  /** Records rows that the database refuses as failed. */
  readonly isLastTry?: boolean;
}

/** `more`: rows are left; `busy`: another process is committing this import. */
export interface Chunk {
  readonly outcome: 'more' | 'done' | 'busy' | 'not_committing';
  readonly rows: number;
}

/**
 * Commits the next rows of an import in the caller's transaction: the people, the rows left out, and the progress. The
 * import's row is the truth: after an interruption anywhere, nothing is done twice or forgotten.
 */
export async function commitChunk(work: Work, id: ImportId, options: ChunkOptions): Promise<Chunk> {
  const held = await holdCommitting(work, id);
  if (held === undefined) {
    return { outcome: (await isCommitting(work, id)) ? 'busy' : 'not_committing', rows: 0 };
  }
  await forgetPlans(work.db);
  await planForAny(work.db);
  const staged = await readStaged(work, id, { after: held.done_row, mostRows: options.mostRows });
  const { rows, upTo } = staged ?? { rows: [], upTo: held.last_row };
  const apply = () => applyRows({ ...work, touched: {} }, held, rows);
  const applied = options.isLastTry === true ? await applyOrGiveUp(work, rows, apply) : await apply();
  const outcome = await settleChunk(work, held, {
    ...applied,
    upTo: applied.taken < rows.length ? rows[applied.taken]!.row - 1 : upTo,
    wereAll: staged === undefined,
    tellAgainAt: options.tellAgainAt,
  });
  await writeAudit({ ...work, touched: { import_id: id } }, 'import_run');
  return { outcome, rows: applied.taken };
}

/** Does not wait for the lock: the process that holds it continues, and one is enough. */
const holdCommitting = ({ db, org }: Work, id: ImportId): Promise<ImportRow | undefined> =>
  db
    .selectFrom('imports')
    .selectAll()
    .where('org_id', '=', org)
    .where('id', '=', id)
    .where('status', '=', 'committing')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();

async function isCommitting({ db, org }: Work, id: ImportId): Promise<boolean> {
  const found = await db
    .selectFrom('imports')
    .select('id')
    .where('org_id', '=', org)
    .where('id', '=', id)
    .where('status', '=', 'committing')
    .executeTakeFirst();
  return found !== undefined;
}
