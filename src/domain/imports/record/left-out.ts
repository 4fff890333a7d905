import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { ImportId } from '../../../kernel/ids.ts';
import type { MergePolicy } from './import.ts';

/** A row that was left out, and why. The reason may name columns and never repeats the content of a cell. */
export interface LeftOut {
  readonly row: number;
  readonly outcome: 'failed' | 'skipped';
  readonly code: string;
  readonly reason: string;
}

const mostText = 500;

export const wouldMerge = (row: number, policy: MergePolicy): LeftOut =>
  policy === 'skip_rows'
    ? {
        row,
        outcome: 'skipped',
        code: 'merges',
        reason:
          'Its identifiers belong to more than one person, and such rows were to be skipped. ' +
          'To merge those people, import the row again with merges: allow.',
      }
    : {
        row,
        outcome: 'failed',
        code: 'merges',
        reason:
          'Its identifiers came to belong to more than one person after the preview. ' +
          'Import the row again: its preview shows who they are.',
      };

export function propertyGone(row: number, columns: readonly string[]): LeftOut {
  const [first = ''] = columns;
  const more = columns.length > 1 ? ` and ${columns.length - 1} more` : '';
  const reason = `Column ${first}${more}: the property was deleted after the commit. Create it and import the row again.`;
  return { row, outcome: 'failed', code: 'property_gone', reason: reason.slice(0, mostText) };
}

/** `state` is the database's error code, in five characters. */
export const unexpected = (row: number, state: string): LeftOut => ({
  row,
  outcome: 'failed',
  code: 'unexpected',
  reason:
    `The database refused this row (${state}). Compare it with the others and import it again; should it be refused ` +
    'again, give the id of the import and the number of the row to whoever runs the service.',
});

export async function writeLeftOut({ db, org }: Work, id: ImportId, rows: readonly LeftOut[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into import_failures (org_id, import_id, row, outcome, code, reason)
    select ${org}, ${id}, l.row, l.outcome, l.code, l.reason
    from unnest(${rows.map(({ row }) => row)}::bigint[], ${rows.map(({ outcome }) => outcome)}::text[],
      ${rows.map(({ code }) => code)}::text[], ${rows.map(({ reason }) => reason)}::text[])
      as l(row, outcome, code, reason)`.execute(db);
}
