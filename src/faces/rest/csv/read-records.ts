import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { Failure } from '../../../kernel/failure.ts';
import { sniffDelimiter } from './delimiter.ts';
import { unreadable } from './unreadable-file.ts';
import { longestLine } from './whole-lines.ts';

export interface CsvRecord {
  /** The line it begins on; cells may hold line breaks. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The records of a file one by one, the header first. Empty lines are none. */
export async function* readRecords(blocks: AsyncGenerator<Buffer>): AsyncGenerator<CsvRecord> {
  const first = await blocks.next();
  if (first.done === true) return;
  let parsed = 1;
  const parser = parse({
    delimiter: sniffDelimiter(first.value),
    // Listed, because the parser would expect the header's line ends everywhere, and concatenated files mix them.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: longestLine,
    // Lines are counted here: the parser counts a CR LF inside quotes twice.
    on_record: (cells) => {
      parsed += linesOf(cells);
      return cells;
    },
  });
  // An error of the input surfaces in the parser, which is awaited below.
  pipeline(Readable.from(continued(first.value, blocks)), parser, () => undefined);
  let line = 1;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (cells.length > 1 || cells[0] !== '') yield { line, cells };
      line += linesOf(cells);
    }
  } catch (error) {
    // The parser is ahead of what was read from it.
    throw error instanceof CsvError ? brokenAt(parsed, error) : error;
  }
}

async function* continued(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

const linesOf = (cells: readonly string[]): number =>
  cells.reduce((sum, cell) => sum + (/[\r\n]/.test(cell) ? cell.split(/\r\n|\n|\r/).length - 1 : 0), 1);

/** The parser's own words may quote the cell. */
function brokenAt(line: number, { code }: CsvError): Failure {
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return unreadable(line, 'broken_quotes', 'a quotation mark opens in this row and is never closed.');
    case 'CSV_MAX_RECORD_SIZE':
      return unreadable(
        line,
        'row_too_long',
        'the row is longer than a megabyte. Is a quotation mark left open?',
      );
    default:
      return unreadable(
        line,
        'broken_quotes',
        'a quotation mark stands inside a cell. Enclose the cell in quotation marks and double those in it.',
      );
  }
}
