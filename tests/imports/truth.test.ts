import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { isLong, seed } from '../support/volume.ts';
import { whatHappened } from './truth-judge.ts';
import { runCase, type Ran } from './truth-run.ts';

const world = useWorld();
// Of the first fifty the gate tries those by which every kind below comes up at least twice.
const few = [0, 1, 2, 4, 6, 8, 10, 11, 12, 13, 20, 23, 30, 36, 43, 47, 49];
const cases = isLong ? Array.from({ length: 500 }, (_, at) => at) : few;
const enough = isLong ? 20 : 2;
const lanes = 4;

let pool: pg.Pool;
beforeAll(() => {
  pool = new pg.Pool({ connectionString: world().databaseUrl, max: lanes });
});
afterAll(() => pool.end());

test('a commit does what its preview said, number by number, in many random imports', async () => {
  const waiting = cases.values();
  const cameUp: Record<string, number> = {};
  const lane = async () => {
    for (const at of waiting) {
      const ran = await runCase(world(), pool, seed + at);
      const told = `SEED=${seed}, import ${at}`;
      expect({ told, ...happened(ran) }).toEqual({ told, ...promised(ran) });
      for (const [name, count] of Object.entries(kindsIn(ran)))
        cameUp[name] = (cameUp[name] ?? 0) + (count > 0 ? 1 : 0);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  // Nothing is proven by its absence.
  for (const [name, count] of Object.entries(cameUp))
    expect([name, count]).toEqual([name, expect.toSatisfy((times) => times >= enough)]);
}, 600_000);

/** What the preview said, in the shape of what is found below. */
function promised({ policy, rows, said, done }: Ran) {
  const { import_id: _, blocked: __, commit_token, expires_at: ___, ...numbers } = said;
  const isBlocked = rows.length === 0 || (policy === 'block' && said.merging_rows > 0);
  const leftOut = policy === 'allow' ? 0 : said.merging_rows;
  return {
    inChunks: numbers,
    isBlocked,
    token: isBlocked ? null : commit_token,
    ...(done !== undefined && {
      found: {
        people_to_create: said.people_to_create,
        people_to_update: said.people_to_update,
        people_unchanged: said.people_unchanged,
        people_merged_away: said.people_merged_away,
        values_changed: said.values_changed,
      },
      configs: said.properties_to_create.map(({ key }: { key: string }) => key),
      optOuts: [said.people_to_opt_out, done.watch === undefined ? undefined : said.suppressed_again],
      counted: {
        status: 'completed',
        total_rows: rows.length,
        succeeded: said.rows - leftOut,
        skipped: leftOut,
        failed: 0,
        pending: 0,
        people_created: said.people_to_create,
        people_merged: said.people_merged_away,
        people_opted_out: said.people_to_opt_out,
      },
    }),
  };
}

/** What the database says, and beside it what get_import says. */
function happened({ rows, said, inChunks, done }: Ran) {
  const common = {
    inChunks,
    isBlocked: said.blocked !== null,
    token: said.commit_token,
  };
  if (done === undefined) return common;
  const { before, after, watch, told } = done;
  const leftOut = new Set(told.failed_rows.map(({ row }: { row: number }) => row));
  const applied = rows.filter(({ row }) => !leftOut.has(row));
  const keys = said.values_changed.map(({ key }: { key: string }) => key);
  const { status, total_rows, succeeded, skipped, failed, pending } = told;
  const { people_created, people_merged, people_opted_out } = told;
  return {
    ...common,
    found: whatHappened(before, after, applied, keys),
    configs: after.configs.filter((key) => !before.configs.includes(key)),
    optOuts: [watch?.asked ?? people_opted_out, watch?.suppressed],
    counted: {
      status,
      total_rows,
      succeeded,
      skipped,
      failed,
      pending,
      people_created,
      people_merged,
      people_opted_out,
    },
  };
}

function kindsIn({ policy, said, done }: Ran): Record<string, number> {
  const values = said.values_changed.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
  const counts = Object.entries(said).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  );
  return {
    ...Object.fromEntries(counts),
    values,
    [`merging rows under ${policy}`]: said.merging_rows,
    rejected: done?.told.rejected_rows ?? 0,
    created: said.properties_to_create.length,
    'suppressed and watched': done?.watch?.suppressed ?? 0,
    'opted out and watched': done?.watch?.asked ?? 0,
  };
}
