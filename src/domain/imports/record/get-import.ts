import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { ImportId } from '../../../kernel/ids.ts';
import { MomentOut, outgoing } from '../../../kernel/moment.ts';
import { pageInput, pageOutput } from '../../../kernel/page.ts';
import { findImport, ImportStatus, MergePolicy, type ImportRow } from './import.ts';
import { Target, type Mapping } from './mapping.ts';

const outcomes = ['failed', 'rejected', 'skipped'] as const;
type Outcome = (typeof outcomes)[number];

const Count = z.int().min(0);

const LeftOutRow = z.object({
  row: z.int(),
  outcome: z.enum(outcomes),
  code: z.string(),
  reason: z.string(),
});

export const getImport = defineOperation({
  name: 'get_import',
  title: 'Read an import',
  summary:
    'How far an import is, what came of it, and a page of the rows that were left out, each with its reason.',
  permission: 'people.read',
  effect: 'read',
  faces: { rest: ['GET /v1/imports/:import_id'], tool: true },
  input: z.strictObject({
    import_id: ImportId,
    outcome: z
      .enum(outcomes)
      .default('failed')
      .describe('Which rows to list. rejected: when appended; failed, skipped: at the commit.'),
    ...pageInput,
  }),
  output: z.object({
    id: ImportId,
    status: ImportStatus,
    name: z.string(),
    file_name: z.string(),
    created_at: MomentOut,
    columns: z.array(z.string()),
    mapping: z.record(z.string(), Target).nullable(),
    total_rows: Count.describe('Staged, without the rejected.'),
    rejected_rows: Count,
    processed_rows: Count.describe('succeeded and failed.'),
    succeeded: Count,
    failed: Count,
    skipped: Count,
    pending: Count,
    merges: MergePolicy.nullable(),
    people_created: Count,
    people_merged: Count,
    people_opted_out: Count,
    committed_at: MomentOut.nullable(),
    finished_at: MomentOut.nullable(),
    failed_rows: z
      .array(LeftOutRow)
      .describe('None of an import that finished before the months that are kept.'),
    ...pageOutput,
  }),
  handle: async (work, { import_id, outcome, limit, offset }) => {
    const row = await findImport(work, import_id);
    return {
      ...toImport(row),
      failed_rows: await pageOf(work, import_id, { outcome, limit, offset }),
      total: { failed: row.failed, rejected: row.rejected_rows, skipped: row.skipped }[outcome],
      limit,
      offset,
    };
  },
});

const toImport = (row: ImportRow) => ({
  id: row.id as ImportId,
  status: row.status as ImportStatus,
  name: row.name,
  file_name: row.file_name,
  created_at: row.created_at.toISOString(),
  columns: row.columns as string[],
  mapping: (row.mapping as Mapping | null)?.targets ?? null,
  total_rows: row.staged_rows,
  rejected_rows: row.rejected_rows,
  processed_rows: row.succeeded + row.failed,
  succeeded: row.succeeded,
  failed: row.failed,
  skipped: row.skipped,
  pending: row.staged_rows - row.succeeded - row.failed - row.skipped,
  merges: row.merges as MergePolicy | null,
  people_created: row.people_created,
  people_merged: row.people_merged,
  people_opted_out: row.people_opted_out,
  committed_at: outgoing(row.committed_at),
  finished_at: outgoing(row.finished_at),
});

/** Sorted by row number, the order of the table's key. */
async function pageOf(
  { db, org }: Work,
  id: ImportId,
  { outcome, limit, offset }: { outcome: Outcome; limit: number; offset: number },
): Promise<z.input<typeof LeftOutRow>[]> {
  const rows = await db
    .selectFrom('import_failures')
    .select(['row', 'code', 'reason'])
    .where('org_id', '=', org)
    .where('import_id', '=', id)
    .where('outcome', '=', outcome)
    .orderBy('row')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map((row) => ({ ...row, outcome }));
}
