import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import { rearm, sweep } from '../../src/durable/sweep.ts';
import { runImport } from '../../src/domain/imports/run-import.ts';
import type { ImportId } from '../../src/kernel/ids.ts';
import { withRows } from '../support/import.ts';
import { restartEngine } from '../support/sending.ts';
import { openWorld, useWorld, type World } from '../support/world.ts';
import { runParts } from './committing.ts';
import { commit, ended, readImport } from './through-engine.ts';

const world = useWorld({ engine: true });
const count = 15_000;
const rows = Array.from({ length: count }, (_, at) => ({ Mail: `p${at}@example.com` }));

/** However fast the machine, no chunk takes less than half a second, so that there is a middle to be caught in. */
const dawdle = (admin: pg.Client) =>
  admin.query(`
    create or replace function dawdle() returns trigger language plpgsql as $$
    begin perform pg_sleep(0.5); return new; end $$;
    create or replace trigger dawdle before update on imports
      for each row when (new.done_row > old.done_row) execute function dawdle()`);

const hurry = (admin: pg.Client) => admin.query('drop trigger dawdle on imports');

/** An import that is on its way, somewhere in the middle. */
async function underWay(on: World) {
  const org = await on.newOrg();
  await dawdle(on.admin);
  const id = await commit(org, await withRows(org, { Mail: 'email' }, rows));
  await expect
    .poll(async () => (await readImport(org, id)).succeeded, { timeout: 60_000, interval: 20 })
    .toBeGreaterThan(0);
  return { org, id };
}

test('an engine that lost everything in the middle is told by rearm, and every row is taken once', async () => {
  const { org, id } = await underWay(world());
  await restartEngine(world(), { empty: true });
  await world().admin.query('delete from outbox');
  expect(await rearm(world().database, new Date())).toBeGreaterThan(0);
  await hurry(world().admin);
  expect(await ended(org, id, 120_000)).toMatchObject({
    status: 'completed',
    succeeded: count,
    people_created: count,
  });
}, 240_000);

test('so it is by the sweep, once nothing was heard of the import for long enough', async () => {
  const { org, id } = await underWay(world());
  await restartEngine(world(), { empty: true });
  await world().admin.query('delete from outbox');
  // Whoever was at it when the engine died takes some more chunks, and nobody calls again.
  const done = async () => (await readImport(org, id)).succeeded;
  for (let before = -1; before !== (await done()); await pause(3_000)) before = await done();
  expect(await done()).toBeLessThan(count);
  expect((await sweep(world().database, new Date())).rearmed).toBe(0);
  expect((await sweep(world().database, new Date(Date.now() + 91_000))).rearmed).toBe(1);
  await hurry(world().admin);
  expect(await ended(org, id, 120_000)).toMatchObject({ status: 'completed', people_created: count });
}, 240_000);

test('shut down in the middle, the service finishes its chunk and leaves the rest to whoever comes next', async () => {
  const closing = await openWorld({ engine: true });
  const { org, id } = await underWay(closing);
  const began = performance.now();
  await closing.close();
  expect(performance.now() - began).toBeLessThan(60_000);
  const admin = new pg.Client({ connectionString: closing.databaseUrl });
  await admin.connect();
  const look = async () =>
    (
      await admin.query(
        `select status, succeeded::int, (select count(*)::int from people) as people,
           (select coalesce(sum(json_array_length(rows)), 0)::int from import_parts) as staged from imports`,
      )
    ).rows[0];
  const left = await look();
  expect(left).toMatchObject({
    status: 'committing',
    people: left.succeeded,
    staged: count - left.succeeded,
  });
  expect(left.succeeded).toBeLessThan(count);
  await hurry(admin);
  const pool = openPool({ url: closing.databaseUrl, size: 2, onError: () => undefined });
  const parts = runParts({ ...closing, database: openDatabase(pool) });
  const ref = { org_id: org.id, import_id: id as ImportId };
  for (let outcome = 'more'; outcome === 'more';) ({ outcome } = await runImport(parts, ref));
  expect(await look()).toEqual({ status: 'completed', succeeded: count, people: count, staged: 0 });
  await pool.end();
  await admin.end();
}, 240_000);
