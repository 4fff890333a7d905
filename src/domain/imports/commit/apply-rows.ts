import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import { readCountry } from '../../orgs/default-country.ts';
import { identifyMany, type PersonSent } from '../../people/identify/identify-many.ts';
import type { PropertyScalar } from '../../properties/property-value.ts';
import type { ImportRow, MergePolicy } from '../record/import.ts';
import { propertyGone, wouldMerge, type LeftOut } from '../record/left-out.ts';
import type { MappedProperty, Mapping } from '../record/mapping.ts';
import { identifiersOf, type StagedRow } from '../record/staged-row.ts';

export interface AppliedRows {
  /** How many rows were taken, from the first on: many merges leave the rest for another transaction. */
  readonly taken: number;
  readonly leftOut: readonly LeftOut[];
  readonly created: number;
  readonly merged: number;
  readonly optedOut: number;
}

/** Turns rows into people, as identifying them one after another would. */
export async function applyRows(
  work: Work,
  { mapping, merges, may_merge }: ImportRow,
  rows: readonly StagedRow[],
): Promise<AppliedRows> {
  const { properties } = mapping as unknown as Mapping;
  const policy = merges as MergePolicy;
  const foretold = new Set(may_merge as number[] | null);
  const existing = await holdConfigs(work, properties);
  const leftOut: LeftOut[] = [];
  const good = rows.filter(({ row, values }) => {
    const gone = properties.filter(
      (one, at) => (values[at] ?? null) !== null && !existing.has(one.config_id),
    );
    if (gone.length === 0) return true;
    leftOut.push(
      propertyGone(
        row,
        gone.map(({ column }) => column),
      ),
    );
    return false;
  });
  const country = await readCountry(work);
  const sent = good.map((row) => toPersonSent(row, properties, country));
  const { outcomes, ...counts } =
    sent.length === 0
      ? { outcomes: [], created: 0, merged: 0, optedOut: 0 }
      : await identifyMany(work, sent, (at) => foretold.has(good[at]!.row));
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome === 'merges') leftOut.push(wouldMerge(good[at]!.row, policy));
  }
  const next = good[outcomes.length];
  if (next === undefined) return { taken: rows.length, leftOut, ...counts };
  return { taken: rows.indexOf(next), leftOut: leftOut.filter(({ row }) => row < next.row), ...counts };
}

/**
 * The configs that still exist, locked against deletion until the transaction ends. Runs before any person is locked,
 * because a deletion locks its config first and reaches people's values later.
 */
async function holdConfigs(
  { db, org }: Work,
  properties: readonly MappedProperty[],
): Promise<ReadonlySet<string | null>> {
  if (properties.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from property_configs
    where org_id = ${org} and id = any(${properties.map(({ config_id }) => config_id)}::uuid[])
    order by id for key share`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

function toPersonSent(
  row: StagedRow,
  properties: readonly MappedProperty[],
  country: string | null,
): PersonSent {
  const values: Record<string, PropertyScalar> = {};
  for (const [at, { config_id }] of properties.entries()) {
    const value = row.values[at] ?? null;
    if (value !== null && config_id !== null) values[config_id] = value;
  }
  return { identifiers: identifiersOf(row, country), fields: row.fields, values, optsOut: row.optsOut };
}
