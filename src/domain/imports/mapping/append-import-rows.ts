import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { Failure, invalidRequest } from '../../../kernel/failure.ts';
import { ImportId } from '../../../kernel/ids.ts';
import { isRejected, rowChecker, type RejectedRow } from './check-row.ts';
import { holdDraft, mostRows, mostRowsACall, type ImportRow } from '../record/import.ts';
import type { Mapping } from '../record/mapping.ts';
import { packRow, type PackedRow } from '../record/staged-row.ts';

export const appendImportRows = defineOperation({
  name: 'append_import_rows',
  title: 'Append rows to an import',
  summary:
    'Stage rows in file order, one call after another. Nobody is created or changed. A row that does not fit the ' +
    'mapping is rejected with its number and the reason; the others are staged. Blank cells change nothing.',
  permission: 'people.write',
  effect: 'add',
  faces: { rest: ['POST /v1/imports/:import_id/rows'], tool: true },
  input: z.strictObject({
    import_id: ImportId,
    rows: z
      .array(z.record(z.string(), z.unknown()))
      .min(1)
      .max(mostRowsACall)
      .describe('Each an object of column to text, number, boolean or null.'),
  }),
  output: z.object({
    import_id: ImportId,
    accepted: z.int(),
    rejected: z.int(),
    rejected_rows: z.array(z.object({ row: z.int(), code: z.string(), reason: z.string() })),
    total_rows: z.int().describe('Staged by now.'),
    next_row: z.int(),
  }),
  handle: async (work, { import_id, rows }) => {
    const held = await holdDraft(work, import_id);
    const mapping = held.mapping as Mapping | null;
    if (mapping === null)
      throw new Failure('import_not_mapped', 'Save a mapping with set_import_mapping first.');
    mustHaveRoom(held, rows.length);
    const check = rowChecker(held.columns as string[], mapping);
    const staged: PackedRow[] = [];
    const rejected: RejectedRow[] = [];
    for (const [index, cells] of rows.entries()) {
      const checked = check(cells, held.last_row + 1 + index);
      if (isRejected(checked)) rejected.push(checked);
      else staged.push(packRow(checked));
    }
    await stage(work, held, rows.length, staged);
    await keepRejected(work, import_id, rejected);
    await count(work, held, rows.length, rejected.length);
    work.touched['import_id'] = import_id;
    return {
      import_id,
      accepted: staged.length,
      rejected: rejected.length,
      rejected_rows: rejected,
      total_rows: held.staged_rows + staged.length,
      next_row: held.last_row + rows.length + 1,
    };
  },
});

function mustHaveRoom({ last_row }: ImportRow, rows: number): void {
  const room = mostRows - last_row;
  if (rows <= room) return;
  const detail =
    `An import takes ${mostRows} rows and has room for ${room} more. ` +
    'Nothing of this call was staged: send that many, and the others as another import.';
  throw invalidRequest([{ pointer: '/rows', code: 'too_big', detail }]);
}

async function stage(
  work: Work,
  held: ImportRow,
  received: number,
  staged: readonly PackedRow[],
): Promise<void> {
  if (staged.length === 0) return;
  await work.db
    .insertInto('import_parts')
    .values({
      org_id: work.org,
      import_id: held.id,
      first_row: held.last_row + 1,
      last_row: held.last_row + received,
      rows: JSON.stringify(staged),
    })
    .execute();
}

async function keepRejected(
  work: Work,
  import_id: ImportId,
  rejected: readonly RejectedRow[],
): Promise<void> {
  if (rejected.length === 0) return;
  await work.db
    .insertInto('import_failures')
    .values(rejected.map((one) => ({ org_id: work.org, import_id, outcome: 'rejected', ...one })))
    .execute();
}

async function count(work: Work, held: ImportRow, received: number, rejected: number): Promise<void> {
  await work.db
    .updateTable('imports')
    .set({
      revision: held.revision + 1,
      last_row: held.last_row + received,
      staged_rows: held.staged_rows + received - rejected,
      rejected_rows: held.rejected_rows + rejected,
    })
    .where('org_id', '=', work.org)
    .where('id', '=', held.id)
    .execute();
}
