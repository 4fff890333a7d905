import type pg from 'pg';
import { findImport, type MergePolicy } from '../../src/domain/imports/record/import.ts';
import type { Mapping } from '../../src/domain/imports/record/mapping.ts';
import { measure } from '../../src/domain/imports/preview/measure.ts';
import { numbersOf } from '../../src/domain/imports/preview/preview-numbers.ts';
import type { StagedRow } from '../../src/domain/imports/record/staged-row.ts';
import type { ImportId } from '../../src/kernel/ids.ts';
import { keyring } from '../../src/main/keys.ts';
import { commit, preview } from '../support/import-preview.ts';
import { inService } from '../support/in-service.ts';
import type { TestOrg } from '../support/test-org.ts';
import type { World } from '../support/world.ts';
import { takeChunk } from './committing.ts';
import { arrange, rememberedIn, stagedRows } from './truth-arrange.ts';
import { dice, makeCase } from './truth-case.ts';
import { OptOutWatch } from './truth-judge.ts';
import { take, type Snapshot } from './truth-snapshot.ts';

// Answers are looked into, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

export interface Ran {
  readonly policy: MergePolicy;
  readonly rows: readonly StagedRow[];
  readonly said: Json;
  /** The same numbers, found with another size of chunks. */
  readonly inChunks: unknown;
  /** Nothing of these where nothing could be committed. */
  readonly done?: Done;
}

interface Done {
  readonly before: Snapshot;
  readonly after: Snapshot;
  /** Only when the commit was watched row by row. */
  readonly watch: OptOutWatch | undefined;
  /** What get_import says at the end, with the rows that were skipped. */
  readonly told: Json;
}

/** Previews a random import and commits it. One that merges block is committed without the rows that merge. */
export async function runCase(world: World, pool: pg.Pool, seed: number): Promise<Ran> {
  const rolled = dice(seed);
  const made = makeCase(rolled);
  const org = await world.newOrg();
  const id = (await arrange(pool, org, made)) as ImportId;
  const rows = await stagedRows(pool, id);
  const before = await take(pool, org);
  const said = await preview(org, id, made.policy);
  const inChunks = await inService(world, org, async (work) => {
    const row = await findImport(work, id);
    const measured = await measure(work, row, made.policy, 1 + rolled.below(5));
    return numbersOf(measured, row.mapping as unknown as Mapping);
  });
  const { policy } = made;
  if (rows.length === 0) return { policy, rows, said, inChunks };
  const token = said.commit_token ?? (await preview(org, id, 'skip_rows')).commit_token;
  const { status, body } = await commit(org, token);
  if (status !== 200) throw new Error(`commit_import answered ${status}: ${JSON.stringify(body)}`);

  const addresses = await rememberedIn(pool, keyring(world.config), org, rows);
  const watch = made.mostRows === 1 ? new OptOutWatch(addresses) : undefined;
  let after = before;
  for (let at = 0, outcome = 'more'; outcome === 'more'; at++) {
    outcome = (await takeChunk(world, org, id, made.mostRows))?.outcome ?? 'gone';
    if (watch === undefined && outcome === 'more') continue;
    const now = await take(pool, org);
    watch?.sawRow(after, now, rows[at]!);
    after = now;
  }
  return { policy, rows, said, inChunks, done: { before, after, watch, told: await readImport(org, id) } };
}

const readImport = async (org: TestOrg, id: string): Promise<Json> =>
  (await org.rest(`GET /v1/imports/${id}?outcome=skipped&limit=200`)).body;
