import type { FieldError } from '../../../kernel/failure.ts';
import { readerOfField, readerOfProperty } from './cell-readers.ts';
import type { Cells } from './check-row.ts';
import { pointerTo, type MappedColumn } from './map-column.ts';
import { isBlank, isMisfit, type ReadCell } from './read-cell.ts';

/** The samples of a column that do not fit its target, by number, because their content may be a person's data. */
export function misfitSamples(mapped: MappedColumn, samples: readonly Cells[]): FieldError | undefined {
  const { column } = mapped;
  const read = readerOf(mapped);
  if (read === undefined) return undefined;
  const rows: number[] = [];
  let takes = '';
  for (const [index, sample] of samples.entries()) {
    const cell = Object.hasOwn(sample, column) ? sample[column] : null;
    const found = isBlank(cell) ? { value: '' } : read(cell);
    if (!isMisfit(found)) continue;
    rows.push(index + 1);
    takes = found.takes;
  }
  if (rows.length === 0) return undefined;
  const detail = `The column must hold ${takes}. It does not in sample row ${rows.join(', ')}.`;
  return { pointer: pointerTo(column), code: 'sample_misfit', detail };
}

function readerOf({ target, property }: MappedColumn): ReadCell | undefined {
  if (property !== null) return readerOfProperty(property.type);
  return target === 'skip' ? undefined : readerOfField(target);
}
