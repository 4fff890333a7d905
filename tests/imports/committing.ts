import { commitChunk, type Chunk } from '../../src/domain/imports/commit/commit-chunk.ts';
import type { MergePolicy } from '../../src/domain/imports/record/import.ts';
import { identifierTargets, type MappedProperty } from '../../src/domain/imports/record/mapping.ts';
import { packRow } from '../../src/domain/imports/record/staged-row.ts';
import type { ImportParts } from '../../src/domain/imports/commit/run-import.ts';
import { takeFields } from '../../src/domain/people/identify/sent-person.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { newId, type ImportId } from '../../src/kernel/ids.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { inService } from '../support/in-service.ts';
import type { TestOrg } from '../support/test-org.ts';
import type { World } from '../support/world.ts';

type Called = Partial<Record<(typeof identifierTargets)[number][0], string>>;

export interface Given extends Called {
  readonly row?: number;
  readonly first_name?: string;
  readonly last_name?: string;
  readonly optsOut?: boolean;
  readonly values?: readonly (string | number | boolean | null)[];
}

export interface Arranged {
  readonly rows: readonly Given[];
  readonly merges?: MergePolicy;
  /** The rows that the preview showed to merge; with `allow` all of them unless told. */
  readonly mayMerge?: readonly number[];
  readonly properties?: readonly MappedProperty[];
  /** How many rows were sent in one call. */
  readonly partRows?: number;
}

/** An import as it is right after its commit: rows staged, nothing done yet, the engine not told. */
export async function committing(
  { admin }: World,
  org: TestOrg,
  { rows, merges = 'block', mayMerge: foretold, properties = [], partRows = 500 }: Arranged,
): Promise<ImportId> {
  const id = newId<ImportId>(new Date());
  const packed = rows.map(({ row, first_name, last_name, optsOut, values, ...called }, at) =>
    packRow({
      row: row ?? at + 1,
      called: identifierTargets.map(([target]) => called[target] ?? null),
      fields: takeFields({ first_name, last_name }),
      optsOut: optsOut ?? false,
      values: values ?? properties.map(() => null),
    }),
  );
  const mayMerge = merges === 'allow' ? JSON.stringify(foretold ?? packed.map(([row]) => row)) : null;
  await admin.query(
    `insert into imports (org_id, id, name, file_name, source, status, columns, sample_rows, mapping, last_row,
       staged_rows, merges, may_merge, run_at, created_at, committed_at)
     values ($1, $2, 'A list', 'A list', 'rows', 'committing', '[]', '[{}]', $3, $4, $5, $6, $7, now(), now(), now())`,
    [org.id, id, { targets: {}, properties }, packed.at(-1)?.[0] ?? 0, packed.length, merges, mayMerge],
  );
  const parts = Array.from({ length: Math.ceil(packed.length / partRows) }, (_, at) =>
    packed.slice(at * partRows, (at + 1) * partRows),
  );
  await admin.query(
    `insert into import_parts select $1, $2, p.first_row, p.last_row, p.rows
     from json_to_recordset($3) as p(first_row bigint, last_row bigint, rows json)`,
    [
      org.id,
      id,
      JSON.stringify(
        parts.map((part) => ({ first_row: part[0]![0], last_row: part.at(-1)![0], rows: part })),
      ),
    ],
  );
  return id;
}

/** The next chunk, in a transaction of its own. */
export const takeChunk = async (
  world: World,
  org: TestOrg,
  id: ImportId,
  mostRows = 1_000,
): Promise<Chunk | undefined> =>
  inService(world, org, (work) =>
    commitChunk(work, id, { mostRows, tellAgainAt: new Date(Date.now() + 60_000) }),
  );

/** What the durable run works with; a process of its own, as far as the database can tell. */
export const runParts = ({ database, config }: World, stopping = new AbortController()): ImportParts => ({
  database,
  clock: systemClock,
  stopping: stopping.signal,
  keys: keyring(config),
  mail: mailSettings(config),
});
