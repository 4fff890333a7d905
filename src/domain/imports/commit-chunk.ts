import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { ImportId } from '../../kernel/ids.ts';
import { writeAudit } from '../orgs/audit.ts';
import { applyRows } from './apply-rows.ts';
import { applyOrGiveUp } from './give-up.ts';
import type { ImportRow } from './import.ts';
import { settleChunk } from './settle-chunk.ts';
import { readStaged } from './staged-rows.ts';

export interface ChunkOptions {
  readonly mostRows: number;
  /** By the service's clock: when the engine is told again, should nothing more be heard of this import. */
  readonly tellAgainAt: Date;
  /** What the database refuses is recorded as failed. */
  readonly isLastTry?: boolean;
}

/** `more`: rows are left; `busy`: somebody else is at this import. */
export interface Chunk {
  readonly outcome: 'more' | 'done' | 'busy' | 'not_committing';
  readonly rows: number;
}

/**
 * Takes the next rows of an import that is committing, all in the caller's transaction: the people, the rows left out,
 * how far it is. What the import's row says is the truth: interrupted anywhere, nothing is done twice or forgotten.
 */
export async function commitChunk(work: Work, id: ImportId, options: ChunkOptions): Promise<Chunk> {
  const held = await holdCommitting(work, id);
  if (held === undefined) {
    return { outcome: (await isCommitting(work, id)) ? 'busy' : 'not_committing', rows: 0 };
  }
  // A plan for foreign keys that was made while the tables were nearly empty reads the whole organization for each row,
  // and is kept until somebody analyzes them.
  await sql`discard plans`.execute(work.db);
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

/** Nobody waits for it: whoever is at it goes on, and one is enough. */
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
