import type { FieldError } from '../../../kernel/failure.ts';
import type { Cells } from './check-row.ts';
import { knownProperties } from './known-properties.ts';
import { mapColumn, pointerTo, type MappedColumn } from './map-column.ts';
import { namingTargets, type Mapping } from '../record/mapping.ts';
import { misfitSamples } from './misfit-samples.ts';
import type { Config } from './targets.ts';

export type CheckedMapping = { readonly mapping: Mapping } | { readonly errors: readonly FieldError[] };

/** The mapping as stored, or every error in what was sent. */
export function checkMapping(
  columns: readonly string[],
  sent: Readonly<Record<string, unknown>>,
  samples: readonly Cells[],
  configs: readonly Config[],
): CheckedMapping {
  const properties = knownProperties(configs);
  const errors: FieldError[] = [];
  const mapped: MappedColumn[] = [];
  for (const column of columns) {
    if (!Object.hasOwn(sent, column)) {
      errors.push(wrong(column, 'missing_column', 'Give every column a target; skip leaves it out.'));
      continue;
    }
    const found = mapColumn(column, sent[column], properties);
    if ('errors' in found) errors.push(...found.errors);
    else mapped.push(found);
  }
  errors.push(
    ...strangers(columns, sent),
    ...sharedTargets(mapped),
    ...beyondRoom(mapped, properties.room),
    ...mapped.flatMap((one) => misfitSamples(one, samples) ?? []),
    ...(mapped.some(({ target }) => namingTargets.has(target as string)) ? [] : [nobody]),
  );
  return errors.length > 0 ? { errors } : { mapping: mappingOf(mapped) };
}

const wrong = (column: string, code: string, detail: string): FieldError => ({
  pointer: pointerTo(column).slice(0, 300),
  code,
  detail,
});

const strangers = (columns: readonly string[], sent: Readonly<Record<string, unknown>>): FieldError[] =>
  Object.keys(sent)
    .filter((column) => !columns.includes(column))
    .map((column) =>
      wrong(column, 'unknown_column', 'The import has no such column. get_import shows them.'),
    );

/** A property is one target, whether it exists or is to be created. */
function sharedTargets(mapped: readonly MappedColumn[]): FieldError[] {
  const columns = new Map<string, string>();
  return mapped.flatMap(({ column, target, property }) => {
    if (target === 'skip') return [];
    const name = property === null ? target : `the property ${property.key}`;
    const first = columns.get(name);
    if (first !== undefined)
      return [
        wrong(column, 'shared_target', `Column ${first} is mapped to ${name} already. Skip one of them.`),
      ];
    columns.set(name, column);
    return [];
  });
}

const beyondRoom = (mapped: readonly MappedColumn[], room: number): FieldError[] =>
  mapped
    .filter(({ property }) => property !== null && property.config_id === null)
    .slice(room)
    .map(({ column }) => {
      const detail = `There is room for ${room} more properties in this organization. Delete a config, or skip.`;
      return wrong(column, 'too_many_properties', detail);
    });

const nobody: FieldError = {
  pointer: '/mapping',
  code: 'no_identifier',
  detail:
    `At least one column must say who somebody is: ${[...namingTargets].join(', ')}. ` +
    'alternate_email and alternate_phone alone are not enough.',
  allowed: [...namingTargets],
};

const mappingOf = (mapped: readonly MappedColumn[]): Mapping => ({
  targets: Object.fromEntries(mapped.map(({ column, target }) => [column, target])),
  properties: mapped.flatMap(({ property }) => property ?? []),
});
