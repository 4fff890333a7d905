import { call } from '../call/call.ts';
import type { Input } from '../call/types.ts';
import type { CsvFile } from '../imports/csv-file.ts';

export interface Columns {
  readonly who: string;
  readonly attended?: string;
}

/** A row that was left out, by its number in the file below the header. */
export interface Refused {
  readonly row: number;
  readonly who: string;
  readonly why: string;
}

type Row = Input<'report_many_attendance'>['rows'][number];

const mostACall = 200;

/** The columns that are called so; what is not found is chosen by hand. */
export function readColumns(columns: readonly string[]): Columns | undefined {
  const find = (pattern: RegExp): string | undefined => columns.find((name) => pattern.test(name));
  const who = find(/e-?mail/i) ?? find(/^(user|person|external)[ _]?id$/i);
  const attended = find(/^(attended|attendance|came|joined)$/i);
  return who === undefined ? undefined : { who, ...(attended !== undefined && { attended }) };
}

const words = new Map([
  ...['true', 'yes', 'y', '1', 'attended'].map((word) => [word, true] as const),
  ...['false', 'no', 'n', '0', ''].map((word) => [word, false] as const),
]);

/** What a row says, or why it says nothing. */
function readRow(who: string, said: string | undefined): Row | string {
  const attended = said === undefined ? true : words.get(said.trim().toLowerCase());
  if (who === '') return 'it does not say who';
  if (attended === undefined) return `“${said}” is neither yes nor no`;
  if (!who.includes('@')) return who.length > 512 ? 'this is too long for an id' : { user_id: who, attended };
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(who) && who.length <= 320
    ? { email: who, attended }
    : 'this is no email address';
}

/** Batch after batch, so that no call is large; rows that mean no registrant are answered by name. */
export async function sendAttendance(
  org: string,
  webinar_id: string,
  file: CsvFile,
  { who, attended }: Columns,
  onSent: (rows: number) => void,
): Promise<{ changed: number; refused: Refused[] }> {
  const refused: Refused[] = [];
  let changed = 0;
  for (let from = 0; from < file.count;) {
    const cells = await file.batch(from);
    const read = cells.map((cell, at) => {
      const name = (cell[who] ?? '').trim();
      return { row: from + at + 1, who: name, said: readRow(name, attended && (cell[attended] ?? '')) };
    });
    refused.push(
      ...read.flatMap(({ said, ...rest }) => (typeof said === 'string' ? [{ ...rest, why: said }] : [])),
    );
    const good = read.flatMap(({ said, ...rest }) => (typeof said === 'string' ? [] : [{ ...rest, said }]));
    for (let at = 0; at < good.length; at += mostACall) {
      const some = good.slice(at, at + mostACall);
      const answer = await call(org, 'report_many_attendance', {
        webinar_id: webinar_id as never,
        rows: some.map(({ said }) => said),
      });
      changed += answer.changed;
      refused.push(
        ...answer.not_registered.map((place) => ({
          row: some[place]!.row,
          who: some[place]!.who,
          why: 'nobody by this is registered',
        })),
      );
    }
    from += cells.length;
    onSent(from);
  }
  return { changed, refused: refused.toSorted((one, other) => one.row - other.row) };
}
