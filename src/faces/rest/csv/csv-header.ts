import { mostColumns } from '../../../domain/imports/record/import.ts';
import { invalidRequest } from '../../../kernel/failure.ts';
import type { CsvRecord } from './read-records.ts';
import { unreadable } from './unreadable-file.ts';

/** The columns a file names in its first record. */
export function readHeader(header: CsvRecord | undefined): string[] {
  if (header === undefined)
    throw invalidRequest([
      { pointer: '', code: 'empty_file', detail: 'The file is empty. Send a header and rows.' },
    ]);
  const { line, cells } = header;
  const columns = cells.map((cell) => cell.trim());
  if (columns.length > mostColumns)
    throw unreadable(
      line,
      'too_many_columns',
      `the header has ${columns.length} columns, and ${mostColumns} are taken.`,
    );
  const blank = columns.indexOf('');
  if (blank !== -1)
    throw unreadable(line, 'blank_column', `column ${blank + 1} has no name. Every column needs one.`);
  const twice = columns.find((column, at) => columns.indexOf(column) !== at);
  if (twice !== undefined)
    throw unreadable(line, 'duplicate_column', `two columns are called ${twice.slice(0, 100)}. Rename one.`);
  return columns;
}

/** Refuses a file whose columns are not those the import was made with. Their order is free. */
export function mustHaveColumns(line: number, columns: readonly string[], wanted: readonly string[]): void {
  const missing = wanted.filter((column) => !columns.includes(column));
  const unknown = columns.filter((column) => !wanted.includes(column));
  if (missing.length === 0 && unknown.length === 0) return;
  const said = [
    ...(missing.length > 0 ? [`lacks ${shortList(missing)}`] : []),
    ...(unknown.length > 0 ? [`has ${shortList(unknown)}, which the import has not`] : []),
  ];
  throw unreadable(
    line,
    'other_columns',
    `the header ${said.join(' and ')}. Send the file the import was made for.`,
  );
}

const shortList = (columns: readonly string[]): string =>
  columns.length > 3
    ? `${columns.slice(0, 3).join(', ')} and ${columns.length - 3} more`
    : columns.join(', ');

/** A row as the operations take it. Missing cells are blank; blank cells beyond the header are ignored. */
export function rowReader(columns: readonly string[]): (cells: readonly string[]) => Record<string, string> {
  let beyond = 'a cell beyond the header';
  while (columns.includes(beyond)) beyond += '+';
  return (cells) => {
    const row = Object.fromEntries(cells.slice(0, columns.length).map((cell, at) => [columns[at]!, cell]));
    // An unknown column: the import rejects the row, as it would if sent as JSON.
    if (cells.slice(columns.length).some((cell) => cell.trim() !== '')) row[beyond] = '';
    return row;
  };
}
