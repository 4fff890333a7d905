import { mostSampleRows } from '../../../domain/imports/record/import.ts';
import { createFileImport, openFileImport } from '../../../domain/imports/mapping/import-file.ts';
import { setImportMapping } from '../../../domain/imports/mapping/set-import-mapping.ts';
import type { ImportId } from '../../../kernel/ids.ts';
import { mustHaveColumns, readHeader, rowReader } from './csv-header.ts';
import type { CsvParts } from './csv-parts.ts';
import type { CsvQuery } from './csv-query.ts';
import { readRecords, type CsvRecord } from './read-records.ts';
import { undoDraft, undoRows, type Undo } from './undo-file.ts';
import { lengthOf, mostCharacters, stageRows } from './stage-rows.ts';
import { wholeLines } from './whole-lines.ts';

type Answer = Record<string, unknown>;

/**
 * Reads a file into an import. Everything goes through the operations that rows sent as JSON go through, each in a
 * transaction of its own; a file that cannot be read to its end leaves nothing.
 */
export async function receiveCsv(
  parts: CsvParts,
  query: CsvQuery,
  upload: AsyncIterable<Buffer>,
): Promise<Answer> {
  const records = readRecords(wholeLines(upload));
  return query.import_id === undefined
    ? fillNew(parts, query, records)
    : fillMapped(parts, query.import_id, records);
}

async function fillNew(
  parts: CsvParts,
  { name, file_name = name, mapping }: CsvQuery,
  records: AsyncGenerator<CsvRecord>,
): Promise<Answer> {
  const { perform, caller } = parts;
  const header = await next(records);
  const columns = readHeader(header);
  const samples = await firstOf(records);
  const sample_rows = samples.map(({ cells }) => rowReader(columns)(cells.slice(0, columns.length)));
  const draft = { name, file_name, columns, sample_rows };
  const { output: made } = await perform(createFileImport, caller, draft);
  if (mapping === undefined) return made;
  const import_id = made['import_id'] as ImportId;
  return orUndo(undoDraft(parts, import_id), async () => {
    const { output: mapped } = await perform(setImportMapping, caller, { import_id, mapping });
    const staged = await stageRows(parts, import_id, rowReader(columns), samples, records);
    return { ...made, status: mapped['status'], ...staged };
  });
}

async function fillMapped(
  parts: CsvParts,
  import_id: ImportId,
  records: AsyncGenerator<CsvRecord>,
): Promise<Answer> {
  const { output: opened } = await parts.perform(openFileImport, parts.caller, { import_id });
  const header = await next(records);
  const columns = readHeader(header);
  mustHaveColumns(header!.line, columns, opened['columns'] as string[]);
  return orUndo(undoRows(parts, import_id), async () => {
    const staged = await stageRows(parts, import_id, rowReader(columns), [], records);
    return { import_id, status: opened['status'], ...staged };
  });
}

/** As many samples as are taken, fewer if they are long. */
async function firstOf(records: AsyncGenerator<CsvRecord>): Promise<CsvRecord[]> {
  const first: CsvRecord[] = [];
  let characters = 0;
  while (first.length < mostSampleRows && characters <= mostCharacters) {
    const record = await next(records);
    if (record === undefined) break;
    first.push(record);
    characters += lengthOf(record);
  }
  return first;
}

const next = async (records: AsyncGenerator<CsvRecord>): Promise<CsvRecord | undefined> => {
  const { done, value } = await records.next();
  return done === true ? undefined : value;
};

/** Whole or not at all. */
async function orUndo(undo: Undo, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    throw await undo(error);
  }
}
