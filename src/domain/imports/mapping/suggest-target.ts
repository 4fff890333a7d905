import { fieldsOfPerson, isWritten } from '../../person-fields/fields.ts';
import { readerOfField, readerOfProperty } from './cell-readers.ts';
import type { Cells } from './check-row.ts';
import { bare, fieldOfHeader } from './header-words.ts';
import type { FieldTarget, Target } from '../record/mapping.ts';
import { isBlank, isMisfit } from './read-cell.ts';
import type { Config } from './targets.ts';

type Named = Exclude<FieldTarget, 'skip'>;

/** The likeliest target of each column, or null. No two columns share a target: the first gets it. */
export function suggestTargets(
  columns: readonly string[],
  samples: readonly Cells[],
  configs: readonly Config[],
): (Target | null)[] {
  const taken = new Set<string>();
  return columns.map((column) => {
    const cells = samples.map((row) => (Object.hasOwn(row, column) ? row[column] : null));
    const target = candidatesFor(column, configs)
      .filter(({ fits }) => fits(cells.filter((cell) => !isBlank(cell))))
      .map((candidate) => candidate.target)
      .find((one) => !taken.has(JSON.stringify(one)));
    if (target === undefined) return null;
    taken.add(JSON.stringify(target));
    return target;
  });
}

interface Candidate {
  readonly target: Target;
  readonly fits: (cells: readonly unknown[]) => boolean;
}

/** What the header could mean, the likeliest first: a property of that name comes before a synonym of a field. */
function candidatesFor(column: string, configs: readonly Config[]): Candidate[] {
  if (bare(column) === '') return [];
  const field = fieldOfHeader(column);
  const named = configs.filter(({ key, name }) => bare(key) === bare(column) || bare(name) === bare(column));
  const properties = named.map(({ key, type }) => ({
    target: { property: key },
    fits: (cells: readonly unknown[]) =>
      cells.length > 0 && cells.every((cell) => !isMisfit(readerOfProperty(type)(cell))),
  }));
  if (field === undefined) return properties;
  const ofField = {
    target: field,
    fits: (cells: readonly unknown[]) => cells.length > 0 && cells.every(fitsField(field)),
  };
  return bare(field) === bare(column) ? [ofField, ...properties] : [...properties, ofField];
}

/** The cell fits and looks right: an address is a valid first name, yet a column of them is not one of names. */
const fitsField =
  (field: Named) =>
  (cell: unknown): boolean =>
    !isMisfit(readerOfField(field)(cell)) && looksLike(field, String(cell).trim());

function looksLike(field: Named, text: string): boolean {
  if (isWritten(field)) return fieldsOfPerson[field].written.looksLike(text);
  if (field === 'phone' || field === 'alternate_phone')
    return /^\+?[\d\s()./-]+$/.test(text) && /^\d{6,15}$/.test(text.replaceAll(/\D/g, ''));
  if (field.endsWith('_id')) return /^[^\s@]+$/.test(text);
  return true;
}
