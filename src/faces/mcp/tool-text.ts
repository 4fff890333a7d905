const longestPlain = 20_000;

/**
 * What a model reads. Small answers are the JSON itself; a long list is written as a table with its column names once,
 * because two hundred people as objects would cost a third more of the reader's attention for the same facts.
 */
export function toToolText(output: Record<string, unknown>): string {
  const plain = JSON.stringify(output);
  if (plain.length <= longestPlain) return plain;
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(output).map(([name, value]) => [name, isTable(value) ? toTable(value) : value]),
    ),
  );
}

type Row = Record<string, unknown>;

const isTable = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.length > 1 && value.every((row) => typeof row === 'object' && row !== null);

function toTable(rows: Row[]): { columns: string[]; rows: unknown[][] } {
  const columns = Object.keys(rows[0] ?? {});
  return { columns, rows: rows.map((row) => columns.map((column) => row[column])) };
}
