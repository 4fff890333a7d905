import type { PropertyPages } from '../../database/tables.generated.ts';
import type { PropertyType } from './property-config.ts';

export type PageColumn = Extract<keyof PropertyPages, `${'t' | 'n' | 'b'}${number}`>;

/** Where property_pages holds a property's values; migration 0009 defines the same in the database. */
export interface PropertyPlace {
  readonly page: number;
  readonly column: PageColumn;
}

const families = {
  string: { letter: 't', size: 8 },
  number: { letter: 'n', size: 8 },
  boolean: { letter: 'b', size: 16 },
} as const satisfies Record<PropertyType, { letter: string; size: number }>;

export function placeOf(type: PropertyType, slot: number): PropertyPlace {
  const { letter, size } = families[type];
  return { page: Math.floor(slot / size), column: `${letter}${slot % size}` as PageColumn };
}

/** A page holds a text of up to this many bytes as it is. */
export const longestInPage = 500;
