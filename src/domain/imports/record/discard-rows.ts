import type { Work } from '../../../database/work.ts';
import type { ImportRow } from './import.ts';

/** Deletes every row of a held draft, staged or rejected; the next is the first again. */
export async function discardRows({ db, org }: Work, { id, revision }: ImportRow): Promise<void> {
  for (const table of ['import_parts', 'import_failures'] as const) {
    await db.deleteFrom(table).where('org_id', '=', org).where('import_id', '=', id).execute();
  }
  await db
    .updateTable('imports')
    .set({ revision: revision + 1, last_row: 0, staged_rows: 0, rejected_rows: 0 })
    .where('org_id', '=', org)
    .where('id', '=', id)
    .execute();
}
