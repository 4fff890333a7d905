import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { ImportId } from '../../../kernel/ids.ts';
import { isRejected, rowChecker, type RejectedRow } from './check-row.ts';
import { holdDraft, mostRows, type ImportRow } from '../record/import.ts';
import type { Mapping } from '../record/mapping.ts';
import { packRow, type PackedRow } from '../record/staged-row.ts';

export const mendImportRow = defineOperation({
  name: 'mend_import_row',
  title: 'Mend a rejected row of an import',
  summary:
    'Send one rejected row of a draft again, with other cells. If it fits now it is staged under its own number, in ' +
    'file order; if not, it stays rejected with the new reason.',
  permission: 'people.write',
  effect: 'change',
  faces: { rest: ['POST /v1/imports/:import_id/mend'] },
  input: z.strictObject({
    import_id: ImportId,
    row: z.int().min(1).max(mostRows).describe('The number of the rejected row.'),
    cells: z
      .record(z.string(), z.unknown())
      .describe('The whole row: an object of column to text, number, boolean or null.'),
  }),
  output: z.object({
    import_id: ImportId,
    row: z.int(),
    rejected: z.object({ code: z.string(), reason: z.string() }).nullable().describe('Null if it fits now.'),
    total_rows: z.int().describe('Staged by now.'),
    rejected_rows: z.int().describe('Rejected by now.'),
  }),
  handle: async (work, { import_id, row, cells }) => {
    const held = await holdDraft(work, import_id);
    const mapping = held.mapping as Mapping | null;
    if (mapping === null || !(await forgetRejected(work, import_id, row)))
      throw new Failure(
        'not_found',
        'This import has no rejected row of this number. get_import with outcome: "rejected" lists them.',
      );
    const checked = rowChecker(held.columns as string[], mapping)(cells, row);
    if (isRejected(checked)) await rejectAgain(work, import_id, checked);
    else await putInPlace(work, import_id, packRow(checked));
    const mended = isRejected(checked) ? 0 : 1;
    await count(work, held, mended);
    work.touched['import_id'] = import_id;
    return {
      import_id,
      row,
      rejected: isRejected(checked) ? { code: checked.code, reason: checked.reason } : null,
      total_rows: held.staged_rows + mended,
      rejected_rows: held.rejected_rows - mended,
    };
  },
});

async function forgetRejected({ db, org }: Work, id: ImportId, row: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('import_failures')
    .where('org_id', '=', org)
    .where('import_id', '=', id)
    .where('outcome', '=', 'rejected')
    .where('row', '=', row)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

const rejectAgain = async ({ db, org }: Work, id: ImportId, rejected: RejectedRow): Promise<void> => {
  await db
    .insertInto('import_failures')
    .values({ org_id: org, import_id: id, outcome: 'rejected', ...rejected })
    .execute();
};

/** Into the part that spans its number, between its neighbours. All of a call may have been rejected: then there is none. */
async function putInPlace({ db, org }: Work, id: ImportId, packed: PackedRow): Promise<void> {
  const [row] = packed;
  const spanning = await db
    .deleteFrom('import_parts')
    .where('org_id', '=', org)
    .where('import_id', '=', id)
    .where('first_row', '<=', row)
    .where('last_row', '>=', row)
    .returning(['first_row', 'last_row', 'rows'])
    .executeTakeFirst();
  const { first_row, last_row, rows } = spanning ?? { first_row: row, last_row: row, rows: [] };
  const all = [...(rows as unknown as PackedRow[]), packed].toSorted(([one], [other]) => one - other);
  await db
    .insertInto('import_parts')
    .values({ org_id: org, import_id: id, first_row, last_row, rows: JSON.stringify(all) })
    .execute();
}

async function count({ db, org }: Work, held: ImportRow, mended: number): Promise<void> {
  await db
    .updateTable('imports')
    .set({
      revision: held.revision + 1,
      staged_rows: held.staged_rows + mended,
      rejected_rows: held.rejected_rows - mended,
    })
    .where('org_id', '=', org)
    .where('id', '=', held.id)
    .execute();
}
