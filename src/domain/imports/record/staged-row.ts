import { comparable } from '../../identifiers/compare-identifiers.ts';
import { takeFields, type SentFields, type SentIdentifier } from '../../people/identify/sent-person.ts';
import { identifierTargets, type MappedValues } from './mapping.ts';

/** A row that fits its mapping: who it means, and what it says about them. */
export interface StagedRow {
  readonly row: number;
  /** One value for each of identifierTargets; null where the row has none. */
  readonly called: readonly (string | null)[];
  readonly fields: SentFields;
  readonly optsOut: boolean;
  readonly values: MappedValues;
}

/** A row as stored: up to 500 of these are one value in the database. */
export type PackedRow = readonly [
  row: number,
  called: StagedRow['called'],
  first_name: string | null,
  last_name: string | null,
  optsOut: 0 | 1,
  values: MappedValues,
  /** Further fields, if it has any: rows that were staged before one was declared have none. */
  further?: Partial<SentFields>,
];

export function packRow({ row, called, fields, optsOut, values }: StagedRow): PackedRow {
  const { first_name, last_name, ...others } = fields;
  const further = Object.entries(others).filter(([, value]) => value !== null);
  const packed = [row, called, first_name, last_name, optsOut ? 1 : 0, values] as const;
  return further.length === 0 ? packed : [...packed, Object.fromEntries(further)];
}

export const unpackRow = ([
  row,
  called,
  first_name,
  last_name,
  optsOut,
  values,
  further,
]: PackedRow): StagedRow => ({
  row,
  called,
  fields: takeFields({ ...further, first_name, last_name }),
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
