import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import { isLong, seed } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { actions, runPairs } from './run-pairs.ts';
import { openWatched } from './watched-pool.ts';

const world = useWorld();

/** `PAIRS=50000` runs as many, whatever the volume is. */
const asked = process.env['PAIRS'];
const pairs = asked === undefined ? (isLong ? 3_000 : 150) : Number(asked);
const workers = Number(process.env['WORKERS'] ?? (isLong ? 3 : 2));

test('random pairs of operations and of steps of the engine on the rows of one organization never deadlock', async () => {
  const began = Date.now();
  const tell = (done: number) => console.log(`${done} pairs, seed ${seed}, ${Date.now() - began} ms`);
  const run = await runPairs(world(), { pairs, seed, workers, pairsAStage: 400, onProgress: tell });
  const told = run.deadlocks.slice(0, 3).map(({ pair, detail, statements }) => [pair, detail, ...statements]);
  expect(told.flat().join('\n')).toBe('');
  expect(run.counted).toBe(0);
  expect(run.broken.slice(0, 3)).toEqual([]);
  // What was only ever refused was not tried.
  expect(run.done.size).toBeGreaterThan(Object.keys(actions).length * 0.7);
});

test('a deadlock is noticed although both transactions start over and end well', async () => {
  const org = await world().newOrg();
  const people = [await org.person({ email: 'a@example.com' }), await org.person({ email: 'b@example.com' })];
  const watched = openWatched(world().databaseUrl, { size: 2 });
  let [held, letGo] = [0, (): void => undefined];
  const bothHoldOne = new Promise<void>((resolve) => (letGo = resolve));
  /** Whoever starts over waits for the other: it could have its first row again before that one has heard. */
  const lock = (ids: readonly string[], other: () => Promise<void>): Promise<void> => {
    let startsOver = false;
    return orgTransaction(watched.database, org.id, 'write', async (db) => {
      if (startsOver) await other();
      startsOver = true;
      for (const id of ids) {
        await sql`select 1 from people where org_id = ${org.id} and id = ${id} for update`.execute(db);
        if (++held === 2) letGo();
        await bothHoldOne;
      }
    });
  };
  const one: Promise<void> = lock(people, () => another);
  const another: Promise<void> = lock(people.toReversed(), () => one);
  await Promise.all([one, another]);
  expect(watched.deadlocks).toHaveLength(1);
  expect(watched.deadlocks[0]!.statements).toHaveLength(2);
  await watched.close();
});
