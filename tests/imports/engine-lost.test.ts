import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { rearm, sweep } from '../../src/durable/sweep.ts';
import { restartEngine } from '../support/sending.ts';
import { useWorld } from '../support/world.ts';
import { ended, readImport } from './through-engine.ts';
import { count, hurry, underWay } from './under-way.ts';

const world = useWorld({ engine: true });

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
  for (let before = -1; before !== (await done()); await pause(2_000)) before = await done();
  expect(await done()).toBeLessThan(count);
  expect((await sweep(world().database, new Date())).rearmed).toBe(0);
  expect((await sweep(world().database, new Date(Date.now() + 91_000))).rearmed).toBe(1);
  await hurry(world().admin);
  expect(await ended(org, id, 120_000)).toMatchObject({ status: 'completed', people_created: count });
}, 240_000);
