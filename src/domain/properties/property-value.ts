import { z } from 'zod';
import type { PropertyType } from './property-config.ts';

export const mostTextInValue = 8_192;

export type PropertyScalar = string | number | boolean;

export const PropertyScalarOut = z.union([z.string(), z.number(), z.boolean()]);

interface ValueColumns {
  readonly text_value: string | null;
  readonly number_value: number | null;
  readonly boolean_value: boolean | null;
}

export const toColumns = (value: PropertyScalar | null): ValueColumns => ({
  text_value: typeof value === 'string' ? value : null,
  number_value: typeof value === 'number' ? value : null,
  boolean_value: typeof value === 'boolean' ? value : null,
});

export const fromColumns = (row: ValueColumns): PropertyScalar | null =>
  row.text_value ?? row.number_value ?? row.boolean_value;

/** The value as the config's type, or undefined when it cannot be read as one. */
export function convertValue(value: unknown, type: PropertyType): PropertyScalar | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  if (type === 'string') return String(value);
  if (type === 'number') return toNumber(value);
  return toBoolean(value);
}

function toNumber(value: PropertyScalar): number | undefined {
  if (typeof value === 'boolean' || (typeof value === 'string' && value.trim() === '')) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function toBoolean(value: PropertyScalar): boolean | undefined {
  const word = String(value).trim().toLowerCase();
  if (word === 'true' || word === '1') return true;
  if (word === 'false' || word === '0') return false;
  return undefined;
}
