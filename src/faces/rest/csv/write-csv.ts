type Cell = string | number | boolean | null;

/** A line of RFC 4180. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellOf).join(',')}\r\n`;

const cellOf = (value: Cell): string => {
  const text = value === null ? '' : typeof value === 'string' ? harmless(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A spreadsheet would run what begins like a formula. A number, or a phone number, is none. */
const harmless = (text: string): string =>
  /^\s*[=+\-@\t\r]/.test(text) && !/^[+-]\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
