import type { Target } from './open-imports.ts';

/** What a select has for a target: a name, or what kind of property it is. */
export const valueOf = (target: Target): string =>
  typeof target === 'string' ? target : 'property' in target ? `property ${target.property}` : 'new property';

/** external_user_id is External user id. */
export const labelOf = (target: Target): string => {
  if (target === 'skip') return 'Leave out';
  if (typeof target !== 'string')
    return 'property' in target ? `Property: ${target.property}` : 'Make a property';
  const words = target.replaceAll('_', ' ');
  return words[0]!.toUpperCase() + words.slice(1);
};

/** A property for a column that has none: its key from the name of the column, its type from the values. */
export function newProperty(column: string, values: readonly string[]): Target {
  const key = column
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[^a-z]+|_+$/g, '')
    .slice(0, 100);
  const isAll = (pattern: RegExp): boolean =>
    values.length > 0 && values.every((value) => pattern.test(value));
  const type = isAll(/^-?\d+(\.\d+)?$/) ? 'number' : isAll(/^(true|false)$/i) ? 'boolean' : 'string';
  return { new_property: { key: key === '' ? 'value' : key, name: column, type } };
}

export const propertyTypes = [
  ['string', 'Text'],
  ['number', 'Number'],
  ['boolean', 'True or false'],
] as const;
