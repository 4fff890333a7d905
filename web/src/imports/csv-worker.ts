import Papa from 'papaparse';
import { asCells, readCsv, textOf, Unreadable, type Limits, type Table } from './read-csv.ts';

/** What the page asks of the worker, which keeps the rows so that the page stays quick. */
export interface Requests {
  open: { input: { file: Blob; limits: Limits }; output: Opened };
  /** Rows from a place on, as many as one call takes. */
  batch: { input: { key: number; from: number; most: number }; output: Record<string, string>[] };
  rows: { input: { key: number; numbers: readonly number[] }; output: string[][] };
  put: { input: { key: number; number: number; cells: string[] }; output: undefined };
  /** Some of the rows as a table of their own. */
  part: { input: { key: number; numbers: readonly number[] }; output: Opened };
  save: { input: { key: number; left: readonly LeftOut[] }; output: Blob };
  close: { input: { key: number }; output: undefined };
}

export interface LeftOut {
  readonly row: number;
  readonly reason: string;
}

export interface Opened {
  readonly key: number;
  readonly columns: readonly string[];
  readonly renamed: Readonly<Record<string, string>>;
  readonly count: number;
  readonly digest: string;
  readonly samples: readonly Record<string, string>[];
}

export type Answer =
  | { readonly id: number; readonly progress: number }
  | { readonly id: number; readonly done: unknown }
  | { readonly id: number; readonly refused: string; readonly isExpected: boolean };

const mostSamples = 20;
const mostCharacters = 150_000; // of one call: a megabyte at worst, when each takes six bytes

const tables = new Map<number, Table>();

async function open(file: Blob, limits: Limits, onProgress: (part: number) => void): Promise<Opened> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return keep(readCsv(textOf(bytes), limits, onProgress), Array.from(digest.subarray(0, 16)).join('-'));
}

function keep(table: Table, digest: string): Opened {
  const key = Math.max(0, ...tables.keys()) + 1;
  tables.set(key, table);
  const { columns, renamed, rows } = table;
  const samples: Record<string, string>[] = [];
  let characters = 0;
  for (const cells of rows.slice(0, mostSamples)) {
    samples.push(asCells(columns, cells.slice(0, columns.length)));
    characters += cells.join('').length;
    if (characters > mostCharacters) break;
  }
  return { key, columns, renamed, count: rows.length, digest, samples };
}

function batch({ columns, rows }: Table, from: number, most: number): Record<string, string>[] {
  const taken: Record<string, string>[] = [];
  let characters = 0;
  for (const cells of rows.slice(from, from + most)) {
    characters += cells.reduce((sum, cell) => sum + cell.length, 0);
    if (taken.length > 0 && characters > mostCharacters) break;
    taken.push(asCells(columns, cells));
  }
  return taken;
}

/** A cell that a spreadsheet would take for a formula gets an apostrophe, which is taken off when it is read again. */
function save({ columns, rows }: Table, left: readonly LeftOut[]): Blob {
  const data = left.map(({ row, reason }) => [
    ...columns.map((_, at) => rows[row - 1]?.[at] ?? ''),
    String(row),
    reason,
  ]);
  const text = Papa.unparse(
    { fields: [...columns, 'Row of the file', 'Why it was left out'], data },
    { escapeFormulae: true, newline: '\r\n' },
  );
  return new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' });
}

function answer(message: MessageEvent['data']): unknown {
  const { id, kind, input } = message as { id: number; kind: keyof Requests; input: never };
  if (kind === 'open') {
    const { file, limits } = input as Requests['open']['input'];
    return open(file, limits, (progress) => postMessage({ id, progress } satisfies Answer));
  }
  const {
    key,
    numbers = [],
    ...rest
  } = input as { key: number; numbers?: number[] } & Record<string, unknown>;
  if (kind === 'close') return tables.delete(key);
  const table = tables.get(key)!;
  const rows = numbers.map((number) => table.rows[number - 1] ?? []);
  if (kind === 'rows') return rows;
  if (kind === 'part') return keep({ ...table, rows }, `part of ${key}`);
  if (kind === 'save') return save(table, rest['left'] as LeftOut[]);
  if (kind === 'batch') return batch(table, rest['from'] as number, rest['most'] as number);
  table.rows[(rest['number'] as number) - 1] = rest['cells'] as string[];
  return undefined;
}

addEventListener('message', ({ data }: MessageEvent) => {
  const { id } = data as { id: number };
  void Promise.resolve()
    .then(() => answer(data))
    .then(
      (done) => postMessage({ id, done } satisfies Answer),
      (error: unknown) =>
        postMessage({
          id,
          refused: error instanceof Error ? error.message : String(error),
          isExpected: error instanceof Unreadable,
        } satisfies Answer),
    );
});
