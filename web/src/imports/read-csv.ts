import Papa from 'papaparse';

/** What the service takes, which the page tells the worker. */
export interface Limits {
  readonly mostRows: number;
  readonly mostColumns: number;
}

export interface Table {
  readonly columns: readonly string[];
  /** Columns that have another name here than in the file, and why. */
  readonly renamed: Readonly<Record<string, string>>;
  readonly rows: string[][];
}

/** Why a file cannot be read, and what to do. Never quotes the file, because cells are personal data. */
export class Unreadable extends Error {}

const largestFile = 64 * 1024 * 1024;
const longestRow = 900_000; // bytes, as JSON: a request may have a megabyte
const longestName = 200;
const saveAs = 'Save it as “CSV UTF-8” and choose that file.';

export function textOf(bytes: Uint8Array<ArrayBuffer>): string {
  if (bytes.length === 0) throw new Unreadable('The file is empty. Choose one with a header and rows.');
  if (bytes.length > largestFile)
    throw new Unreadable('The file is larger than 64 MB. Part it and import the parts.');
  if (bytes[0] === 0x50 && bytes[1] === 0x4b)
    throw new Unreadable(`This is a workbook or an archive, not CSV. Open it and save it as “CSV UTF-8”.`);
  const text = decode(bytes);
  if (text.includes('\0'))
    throw new Unreadable(`The file holds NUL characters, so it is no text in UTF-8. ${saveAs}`);
  if (text.trim() === '') throw new Unreadable('The file is blank. Choose one with a header and rows.');
  return text.replaceAll(/\r\n?/g, '\n');
}

/** UTF-16 has a mark that says so. What is neither is not guessed at: a wrong guess would spoil names. */
function decode(bytes: Uint8Array<ArrayBuffer>): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new Unreadable(`The file is not in UTF-8, so some letters would be lost. ${saveAs}`);
  }
}

/** A cell as it was before a download guarded it from being taken for a formula. */
const unguarded = (cell: string): string => (/^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);

export function readCsv(text: string, limits: Limits, onProgress: (part: number) => void): Table {
  let header: string[] | undefined;
  let records = 0;
  let read = 0;
  const rows: string[][] = [];
  // A text is read in chunks as a file is; the types of the library do not know.
  Papa.parse<string[], File>(text as unknown as File, {
    delimitersToGuess: [',', ';', '\t'],
    newline: '\n',
    chunkSize: 512 * 1024,
    complete: () => undefined,
    chunk: ({ data, errors, meta }) => {
      const [broken] = errors.filter(({ type }) => type === 'Quotes');
      if (broken !== undefined) throw brokenQuotes(records + (broken.row ?? 0), broken.code);
      for (const cells of data) {
        records += 1;
        if (cells.every((cell) => cell.trim() === '')) continue;
        if (header === undefined) header = cells;
        else rows.push(checked(cells, records - 1));
      }
      read = Math.max(read, meta.cursor);
      onProgress(Math.min(read / text.length, 1));
    },
  });
  if (header === undefined || rows.length === 0)
    throw new Unreadable('The file has a header and no rows. Choose one with people in it.');
  if (rows.length > limits.mostRows)
    throw new Unreadable(
      `An import takes ${limits.mostRows.toLocaleString('en-GB')} rows, and this file has ` +
        `${rows.length.toLocaleString('en-GB')}. Part it and import the parts.`,
    );
  return { ...readHeader(header, limits), rows };
}

function checked(cells: string[], row: number): string[] {
  const length = cells.reduce((sum, cell) => sum + cell.length, 0);
  // A character takes six bytes at most.
  if (length * 6 > longestRow && new Blob([JSON.stringify(cells)]).size > longestRow)
    throw new Unreadable(`Row ${row} is longer than a megabyte. Is a quotation mark left open in it?`);
  return cells.map(unguarded);
}

const brokenQuotes = (record: number, code: string): Unreadable => {
  const where = record === 0 ? 'The header' : `Row ${record}`;
  return new Unreadable(
    code === 'MissingQuotes'
      ? `${where}: a quotation mark opens and is never closed. Close it, or take it away.`
      : `${where}: a quotation mark stands inside a cell. Enclose the cell in quotation marks and double those in it.`,
  );
};

/** Every column gets a name of its own: one without gets its number, a second of the same name a number more. */
function readHeader(header: readonly string[], { mostColumns }: Limits): Pick<Table, 'columns' | 'renamed'> {
  if (header.length > mostColumns)
    throw new Unreadable(
      `The header has ${header.length} columns, and ${mostColumns} are taken. Delete those you do not need.`,
    );
  const columns: string[] = [];
  const renamed: Record<string, string> = {};
  for (const [at, cell] of header.entries()) {
    const name = cell
      .trim()
      .slice(0, longestName - 10)
      .toWellFormed();
    const wanted = name === '' || name === '__proto__' ? `Column ${at + 1}` : name;
    let column = wanted;
    for (let second = 2; columns.includes(column); second++) column = `${wanted} (${second})`;
    if (name === '') renamed[column] = 'has no name in the file';
    else if (column !== cell.trim()) renamed[column] = 'renamed: its name was taken or too long';
    columns.push(column);
  }
  return { columns, renamed };
}

/** A row as the service takes it. Blank cells beyond the header are nothing; for others the service rejects the row. */
export function asCells(columns: readonly string[], cells: readonly string[]): Record<string, string> {
  const row = Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? '']));
  if (cells.slice(columns.length).some((cell) => cell.trim() !== '')) row[beyond(columns)] = '';
  return row;
}

function beyond(columns: readonly string[]): string {
  let name = 'a cell beyond the header';
  while (columns.includes(name)) name += '+';
  return name;
}
