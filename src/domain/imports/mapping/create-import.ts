import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { invalidRequest, type FieldError } from '../../../kernel/failure.ts';
import { escapePointer } from '../../../kernel/hostile-text.ts';
import { ImportId, newId } from '../../../kernel/ids.ts';
import type { Cells } from './check-row.ts';
import { mostColumns, mostSampleRows } from '../record/import.ts';
import { Target } from '../record/mapping.ts';
import { isCell } from './read-cell.ts';
import { suggestTargets } from './suggest-target.ts';
import { listTargets, readConfigs } from './targets.ts';

const Columns = z
  .array(
    z
      .string()
      .min(1)
      .max(200)
      .refine(
        (column) => column !== '__proto__',
        'No JSON object can safely carry this name. Rename the column.',
      ),
  )
  .min(1)
  .max(mostColumns)
  .refine((columns) => new Set(columns).size === columns.length, 'Each column must have a name of its own.')
  .describe('Every column as named in the rows.');

const output = z.object({
  import_id: ImportId,
  status: z.literal('draft'),
  columns: z.array(
    z.object({
      column: z.string(),
      suggested: Target.nullable().describe('Only where header and samples agree.'),
    }),
  ),
  targets: z.array(z.object({ target: Target, takes: z.string() })),
});

export const createImport = defineOperation({
  name: 'create_import',
  title: 'Create an import',
  summary:
    'Begin a list of people: a draft that writes nothing to people. Then set_import_mapping, append_import_rows, ' +
    'preview_import, commit_import.',
  permission: 'people.write',
  effect: 'add',
  creates: true,
  faces: { rest: ['POST /v1/imports'], tool: true },
  input: z.strictObject({
    name: z.string().trim().min(1).max(200),
    columns: Columns,
    sample_rows: z.array(z.record(z.string(), z.unknown())).max(mostSampleRows).default([]),
  }),
  output,
  handle: (work, { name, columns, sample_rows }) =>
    createDraft(work, { name, file_name: name, source: 'rows', columns, sample_rows }),
});

export interface NewDraft {
  readonly name: string;
  readonly file_name: string;
  readonly source: 'rows' | 'csv';
  readonly columns: readonly string[];
  readonly sample_rows: readonly Cells[];
}

/** Creates a draft, for every source of rows. */
export async function createDraft(work: Work, draft: NewDraft): Promise<z.input<typeof output>> {
  const { columns, sample_rows } = draft;
  const errors = sample_rows.flatMap((cells, index) => misfitsOf(cells, columns, `/sample_rows/${index}`));
  if (errors.length > 0) throw invalidRequest(errors.slice(0, mostErrors));
  const id = newId<ImportId>(work.now);
  await work.db
    .insertInto('imports')
    .values({
      org_id: work.org,
      id,
      ...draft,
      columns: JSON.stringify(columns),
      sample_rows: JSON.stringify(sample_rows),
      status: 'draft',
      created_at: work.now,
    })
    .execute();
  work.touched['import_id'] = id;
  const configs = await readConfigs(work);
  const suggested = suggestTargets(columns, sample_rows, configs);
  return {
    import_id: id,
    status: 'draft',
    columns: columns.map((column, index) => ({ column, suggested: suggested[index] ?? null })),
    targets: listTargets(configs),
  };
}

const mostErrors = 20;

/** Samples must be keyed by column and hold cells, or they say nothing about the columns. */
const misfitsOf = (cells: Cells, columns: readonly string[], at: string): FieldError[] =>
  Object.entries(cells).flatMap(([column, cell]) => {
    const pointer = `${at}/${escapePointer(column)}`.slice(0, 300);
    if (!columns.includes(column))
      return [
        { pointer, code: 'unknown_column', detail: 'This is none of `columns`. Name every column there.' },
      ];
    if (!isCell(cell))
      return [{ pointer, code: 'not_a_cell', detail: 'Must be text, a number, a boolean or null.' }];
    return [];
  });
