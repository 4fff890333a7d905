import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { ImportId } from '../../../kernel/ids.ts';
import { unpackRow, type PackedRow, type StagedRow } from './staged-row.ts';

export interface StagedRows {
  readonly rows: readonly StagedRow[];
  /** The number of the last row covered: every row staged up to it is here or was read before. */
  readonly upTo: number;
}

/** The most bytes of parts; the last part of a chunk may exceed it. Calls may have one row, and rows a megabyte. */
const mostBytes = 8_000_000;

/**
 * The next staged rows, in file order, or undefined when none are left. Resumes in the middle of a part when only some
 * of its rows were wanted before. Does not read parts again that were passed, however many.
 */
export async function readStaged(
  { db, org }: Work,
  id: ImportId,
  { after, mostRows }: { readonly after: number; readonly mostRows: number },
): Promise<StagedRows | undefined> {
  const ofImport = sql`org_id = ${org} and import_id = ${id}`;
  // One part after another, so that no more are unpacked than are taken.
  const { rows: parts } = await sql<{ last_row: number; rows: PackedRow[] }>`
    with recursive start as (
      select coalesce(max(first_row), 0) as row from import_parts
      where ${ofImport} and first_row <= ${after}::bigint + 1
    ), taken as (
      select p.*, octet_length(p.rows::text)::bigint as bytes,
        greatest(p.first_row, ${after}::bigint + 1) + ${mostRows}::bigint as beyond
      from start cross join lateral (
        select first_row, last_row, rows from import_parts
        where ${ofImport} and first_row >= start.row and last_row > ${after} order by first_row limit 1) p
      union all
      select p.*, taken.bytes + octet_length(p.rows::text), taken.beyond
      from taken cross join lateral (
        select first_row, last_row, rows from import_parts
        where ${ofImport} and first_row > taken.last_row and first_row < taken.beyond
        order by first_row limit 1) p
      where taken.bytes < ${mostBytes}
    )
    select last_row, rows from taken order by first_row`.execute(db);
  const last = parts.at(-1);
  if (last === undefined) return undefined;
  const found = parts.flatMap((part) => part.rows.filter(([row]) => row > after));
  const rows = found.slice(0, mostRows).map((packed) => unpackRow(packed));
  return { rows, upTo: found.length > mostRows ? rows.at(-1)!.row : last.last_row };
}
