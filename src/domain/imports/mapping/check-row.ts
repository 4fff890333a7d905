import { forWritten, isWritten, type WrittenField } from '../../person-fields/fields.ts';
import type { PropertyScalar } from '../../properties/property-value.ts';
import { readerOfField, readerOfProperty } from './cell-readers.ts';
import { identifierTargets, namingTargets, type Mapping } from '../record/mapping.ts';
import { isBlank, isCell, isMisfit, type ReadCell } from './read-cell.ts';
import type { StagedRow } from '../record/staged-row.ts';

export type Cells = Readonly<Record<string, unknown>>;

/** Why a row is rejected. Names columns and never repeats a cell, because cells are people's data. */
export interface RejectedRow {
  readonly row: number;
  readonly code: string;
  readonly reason: string;
}

export type CheckRow = (cells: Cells, row: number) => StagedRow | RejectedRow;

export const isRejected = (checked: StagedRow | RejectedRow): checked is RejectedRow => 'reason' in checked;

/** Where a column's value goes in a staged row; `nowhere` if it is skipped. */
interface Place {
  readonly column: string;
  readonly to: 'called' | WrittenField | 'optsOut' | 'values' | 'nowhere';
  readonly at: number;
  readonly read: ReadCell;
}

const longestReason = 500;

/** Checks rows against a mapping. The first column that does not fit gives the reason. */
export function rowChecker(columns: readonly string[], mapping: Mapping): CheckRow {
  const places = columns.map((column) => placeOf(column, mapping));
  const known = new Set(columns);
  return (cells, row) => {
    const reject = (code: string, reason: string): RejectedRow => ({
      row,
      code,
      reason: reason.slice(0, longestReason).toWellFormed(),
    });
    // Does not name the column: in a misaligned row, its name may be a person's data.
    if (!Object.keys(cells).every((column) => known.has(column)))
      return reject(
        'unknown_column',
        `The row has a column that the import has not. Send only its columns: ${columns.join(', ')}.`,
      );
    const called: (string | null)[] = identifierTargets.map(() => null);
    const values: (PropertyScalar | null)[] = mapping.properties.map(() => null);
    const fields = forWritten<string | null>(() => null);
    let optsOut = false;
    for (const { column, to, at, read } of places) {
      const cell = Object.hasOwn(cells, column) ? cells[column] : null;
      if (!isCell(cell))
        return reject('not_a_cell', `Column ${column} must hold text, a number, true, false or null.`);
      if (to === 'nowhere' || isBlank(cell)) continue;
      const found = read(cell);
      if (isMisfit(found)) return reject(found.code, `Column ${column} must hold ${found.takes}.`);
      if (to === 'called') called[at] = found.value as string;
      else if (to === 'values') values[at] = found.value;
      else if (to === 'optsOut') optsOut ||= found.value === true;
      else fields[to] = found.value as string;
    }
    if (!identifierTargets.some(([target], at) => namingTargets.has(target) && called[at] !== null))
      return reject('no_identifier', nobody);
    return { row, called, fields, optsOut, values };
  };
}

const nobody = `The row says nobody: it needs at least one of ${[...namingTargets].join(', ')}.`;

function placeOf(column: string, { targets, properties }: Mapping): Place {
  const target = targets[column];
  if (target === undefined) throw new Error('a mapping has a target for every column of its import');
  if (typeof target !== 'string') {
    const at = properties.findIndex((property) => property.column === column);
    return { column, to: 'values', at, read: readerOfProperty(properties[at]!.type) };
  }
  if (target === 'skip') return { column, to: 'nowhere', at: -1, read: () => ({ value: '' }) };
  const read = readerOfField(target);
  if (isWritten(target)) return { column, to: target, at: -1, read };
  const at = identifierTargets.findIndex(([name]) => name === target);
  return at === -1 ? { column, to: 'optsOut', at, read } : { column, to: 'called', at, read };
}
