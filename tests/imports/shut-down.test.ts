import { expect, test } from 'vitest';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import { runImport } from '../../src/domain/imports/commit/run-import.ts';
import type { ImportId } from '../../src/kernel/ids.ts';
import { openWorld } from '../support/world.ts';
import { runParts } from './committing.ts';
import { count, hurry, underWay } from './under-way.ts';

test('shut down in the middle, the service finishes its chunk and leaves the rest to whoever comes next', async () => {
  const closing = await openWorld({ engine: true });
  const { org, id } = await underWay(closing);
  const began = performance.now();
  await closing.shutDown();
  expect(performance.now() - began).toBeLessThan(60_000);
  const { admin } = closing;
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
  await closing.close();
}, 240_000);
