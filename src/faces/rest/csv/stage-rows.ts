import { appendImportRows } from '../../../domain/imports/mapping/append-import-rows.ts';
import { mostRows, mostRowsACall } from '../../../domain/imports/record/import.ts';
import { Failure } from '../../../kernel/failure.ts';
import type { ImportId } from '../../../kernel/ids.ts';
import type { CsvRecord } from './read-records.ts';
import type { CsvParts } from './csv-parts.ts';
import { unreadable } from './unreadable-file.ts';

const mostTold = 100;
/** Rows may be long: no more text is held at a time than a body of JSON may have. */
export const mostCharacters = 1_000_000;

export const lengthOf = ({ cells }: CsvRecord): number => cells.reduce((sum, cell) => sum + cell.length, 0);

interface Rejected {
  readonly row: number;
  readonly code: string;
  readonly reason: string;
}

interface Staged {
  readonly total_rows: number;
  readonly accepted: number;
  readonly rejected: number;
  /** The first of them; get_import tells them all. */
  readonly rejected_rows: readonly Rejected[];
}

type ReadRow = (cells: readonly string[]) => Record<string, string>;

/** Appends the rows of a file, as many at a time as a call may have. The upload waits while a batch is written. */
export async function stageRows(
  parts: CsvParts,
  import_id: ImportId,
  readRow: ReadRow,
  read: readonly CsvRecord[],
  rest: AsyncIterable<CsvRecord>,
): Promise<Staged> {
  let batch: Record<string, string>[] = [];
  let characters = 0;
  let received = 0;
  let staged: Staged = { total_rows: 0, accepted: 0, rejected: 0, rejected_rows: [] };
  const append = async (): Promise<void> => {
    if (batch.length === 0) return;
    const { output } = await parts.perform(appendImportRows, parts.caller, { import_id, rows: batch });
    if (output['next_row'] !== received + 1) throw interleaved();
    staged = added(staged, output as unknown as Staged);
    batch = [];
    characters = 0;
  };
  for await (const record of chain(read, rest)) {
    const { line, cells } = record;
    if (received === mostRows)
      throw unreadable(
        line,
        'too_many_rows',
        `an import takes ${mostRows} rows, and this would be one more. Part the file.`,
      );
    received += 1;
    batch.push(readRow(cells));
    characters += lengthOf(record);
    if (batch.length === mostRowsACall || characters > mostCharacters) await append();
  }
  await append();
  return staged;
}

async function* chain<T>(first: Iterable<T>, then: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first;
  yield* then;
}

const added = (sum: Staged, { accepted, rejected, rejected_rows, total_rows }: Staged): Staged => ({
  total_rows,
  accepted: sum.accepted + accepted,
  rejected: sum.rejected + rejected,
  rejected_rows: [...sum.rejected_rows, ...rejected_rows].slice(0, mostTold),
});

const interleaved = (): Failure =>
  new Failure(
    'import_busy',
    'Another call appended rows while the file was read, so its rows are not in order any more. All were discarded: ' +
      'send the file again.',
    { retryAfterSeconds: 1 },
  );
