import { unpackRow, type PackedRow, type StagedRow } from '../../src/domain/imports/record/staged-row.ts';
import type { TestOrg } from './test-org.ts';
import type { World } from './world.ts';

// Answers are looked into by tests, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;
type Cells = Readonly<Record<string, unknown>>;
/** Column to target: `{ Mail: 'email', Tier: { property: 'plan_tier' } }`. */
export type SentMapping = Readonly<Record<string, unknown>>;

/** Creates a draft over REST and answers what that answered. */
export async function draftOf(
  org: TestOrg,
  columns: readonly string[],
  sample_rows: readonly Cells[] = [],
): Promise<Json> {
  const { status, body } = await org.rest('POST /v1/imports', {
    name: 'People of spring',
    columns,
    sample_rows,
  });
  if (status !== 201) throw new Error(`create_import answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Saves a mapping over REST and answers what that answered. */
export async function map(
  org: TestOrg,
  import_id: string,
  mapping: SentMapping,
  more: { readonly discard_rows?: boolean } = {},
): Promise<Json> {
  const { status, body } = await org.rest(`PUT /v1/imports/${import_id}/mapping`, { mapping, ...more });
  if (status !== 200) throw new Error(`set_import_mapping answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** A draft with a mapping, whose columns are those mapped. Answers its id. */
export async function mapped(
  org: TestOrg,
  mapping: SentMapping,
  sample_rows: readonly Cells[] = [],
): Promise<string> {
  const { import_id } = await draftOf(org, Object.keys(mapping), sample_rows);
  await map(org, import_id, mapping);
  return import_id;
}

/** Appends rows over REST, five hundred a call, and answers what the last call answered. */
export async function append(org: TestOrg, import_id: string, rows: readonly Cells[]): Promise<Json> {
  let last: Json;
  for (let from = 0; from < rows.length; from += 500) {
    const part = rows.slice(from, from + 500);
    const { status, body } = await org.rest(`POST /v1/imports/${import_id}/rows`, { rows: part });
    if (status !== 200) throw new Error(`append_import_rows answered ${status}: ${JSON.stringify(body)}`);
    last = body;
  }
  return last;
}

/** An import that only has to be previewed. Answers its id. */
export async function withRows(org: TestOrg, mapping: SentMapping, rows: readonly Cells[]): Promise<string> {
  const import_id = await mapped(org, mapping);
  await append(org, import_id, rows);
  return import_id;
}

/** Gives the organization a custom property. */
export async function addProperty(
  org: TestOrg,
  key: string,
  type: 'string' | 'number' | 'boolean' = 'string',
): Promise<string> {
  const { status, body } = await org.rest('POST /v1/property-configs', { key, name: key, type });
  if (status !== 201) throw new Error(`create_property_config answered ${status}: ${JSON.stringify(body)}`);
  return body.property_config.id;
}

/** The staged rows of an import in the order of its parts, and where each part begins and ends. */
export async function stagedOf(
  { admin }: World,
  import_id: string,
): Promise<{ rows: StagedRow[]; parts: (readonly [number, number])[] }> {
  const found = await admin.query<{ first_row: string; last_row: string; rows: PackedRow[] }>(
    'select first_row, last_row, rows from import_parts where import_id = $1 order by first_row',
    [import_id],
  );
  return {
    rows: found.rows.flatMap(({ rows }) => rows.map(unpackRow)),
    parts: found.rows.map(({ first_row, last_row }) => [Number(first_row), Number(last_row)]),
  };
}
