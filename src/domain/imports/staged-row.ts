import type { SentIdentifier, SentNames } from '../people/sent-person.ts';
import { identifierTargets, type MappedValues } from './mapping.ts';

/** A row that fits its mapping: who it means, and what it says of them. */
export interface StagedRow {
  readonly row: number;
  /** One value for each of identifierTargets; null where the row has none. */
  readonly called: readonly (string | null)[];
  readonly names: SentNames;
  readonly optsOut: boolean;
  readonly values: MappedValues;
}

/** As it is stored: half a thousand of these are one value of the database. */
export type PackedRow = readonly [
  row: number,
  called: StagedRow['called'],
  first_name: string | null,
  last_name: string | null,
  optsOut: 0 | 1,
  values: MappedValues,
];

export const packRow = ({ row, called, names, optsOut, values }: StagedRow): PackedRow => [
  row,
  called,
  names.first_name,
  names.last_name,
  optsOut ? 1 : 0,
  values,
];

export const unpackRow = ([row, called, first_name, last_name, optsOut, values]: PackedRow): StagedRow => ({
  row,
  called,
  names: { first_name, last_name },
  optsOut: optsOut === 1,
  values,
});

/** In lookup order, each once: a further address may repeat the first. */
export function identifiersOf({ called }: StagedRow): SentIdentifier[] {
  const sent: SentIdentifier[] = [];
  for (const [index, [, type]] of identifierTargets.entries()) {
    const value = called[index] ?? null;
    if (value !== null && !sent.some((one) => one.type === type && one.value === value))
      sent.push({ type, value });
  }
  return sent;
}
