import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Imports } from '../../../database/tables.generated.ts';
import type { Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import type { ImportId } from '../../../kernel/ids.ts';

export const ImportStatus = z.enum([
  'draft',
  'mapped',
  'committing',
  'completed',
  'completed_with_failures',
  'failed',
]);
export type ImportStatus = z.infer<typeof ImportStatus>;

/** What to do with a row whose identifiers belong to more than one person by the time it is reached. */
export const MergePolicy = z.enum(['block', 'skip_rows', 'allow']);
export type MergePolicy = z.infer<typeof MergePolicy>;

export type ImportRow = Selectable<Imports>;

export const mostRows = 50_000;
export const mostRowsACall = 500;
export const mostSampleRows = 20;
export const mostColumns = 100;

const notFound = (): Failure =>
  new Failure(
    'not_found',
    'No import with this id exists in this organization. list_data_imports shows them.',
  );

export async function findImport({ db, org }: Work, id: ImportId): Promise<ImportRow> {
  const row = await db
    .selectFrom('imports')
    .selectAll()
    .where('org_id', '=', org)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return row;
}

/**
 * Locks a draft until the transaction ends. Does not wait: of two calls that change one import the second is refused,
 * because the sender of rows must know their order.
 */
export async function holdDraft(work: Work, id: ImportId): Promise<ImportRow> {
  const held = await work.db
    .selectFrom('imports')
    .selectAll()
    .where('org_id', '=', work.org)
    .where('id', '=', id)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  mustBeDraft(held ?? (await findImport(work, id)));
  if (held === undefined) {
    throw new Failure('import_busy', 'Another call is changing this import. Send one call after another.', {
      retryAfterSeconds: 1,
    });
  }
  return held;
}

export function mustBeDraft({ status }: ImportRow): void {
  if (status === 'draft' || status === 'mapped') return;
  throw new Failure('import_committed', 'This import was committed and can no longer be changed.');
}
