import { comparable } from '../identifiers/compare-identifiers.ts';
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

/** In lookup order, each once: a further address may repeat the first, also in another spelling. */
export function identifiersOf({ called }: StagedRow, country: string | null): SentIdentifier[] {
  const sent: SentIdentifier[] = [];
  for (const [index, [, type]] of identifierTargets.entries()) {
    const cell = called[index] ?? null;
    if (cell === null) continue;
    const identifier = comparable(type, cell, country);
    if (!sent.some((one) => one.type === type && one.value === identifier.value)) sent.push(identifier);
  }
  return sent;
}
