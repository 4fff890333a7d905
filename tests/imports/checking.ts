import { isRejected, rowChecker, type RejectedRow } from '../../src/domain/imports/mapping/check-row.ts';
import type { MappedProperty, Mapping, Target } from '../../src/domain/imports/record/mapping.ts';
import { isWritten } from '../../src/domain/person-fields/fields.ts';
import type { PropertyType } from '../../src/domain/properties/property-config.ts';
import { identifierTargets } from '../../src/domain/imports/record/mapping.ts';
import type { StagedRow } from '../../src/domain/imports/record/staged-row.ts';

/** A mapping of columns named as their targets; properties are those named after a type. */
export function mappingOf(columns: readonly string[]): Mapping {
  const types: readonly string[] = ['string', 'number', 'boolean'];
  const properties = columns
    .filter((column) => types.includes(column))
    .map((type): MappedProperty => {
      return { column: type, key: type, name: type, type: type as PropertyType, config_id: type };
    });
  const targets = columns.map((column) => [column, types.includes(column) ? { property: column } : column]);
  return { targets: Object.fromEntries(targets) as Record<string, Target>, properties };
}

/** What becomes of a row whose cell stands beside somebody's id, in a column named as its target. */
export function checkCell(target: string, cell: unknown): StagedRow | RejectedRow {
  const columns = target === 'anonymous_id' ? [target] : ['anonymous_id', target];
  const cells = { anonymous_id: 'somebody', [target]: cell };
  return rowChecker(columns, mappingOf(columns))(cells, 1);
}

/** What a cell is taken for: its value, null if nothing is, or the code it is rejected with. */
export function readAs(target: string, cell: unknown): unknown {
  const checked = checkCell(target, cell);
  if (isRejected(checked)) return `rejected: ${checked.code}`;
  const at = identifierTargets.findIndex(([name]) => name === target);
  if (at >= 0) return checked.called[at];
  if (isWritten(target)) return checked.fields[target];
  return checked.values[0];
}
