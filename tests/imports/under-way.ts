import type pg from 'pg';
import { expect } from 'vitest';
import { rearm } from '../../src/durable/sweep.ts';
import { isLong } from '../support/volume.ts';
import type { World } from '../support/world.ts';
import { committing } from './committing.ts';
import { readImport } from './through-engine.ts';

export const count = isLong ? 15_000 : 9_000;
const rows = Array.from({ length: count }, (_, at) => ({ email: `p${at}@example.com` }));

/** However fast the machine, no chunk takes less than half a second, so that there is a middle to be caught in. */
const dawdle = (admin: pg.Client) =>
  admin.query(`
    create or replace function dawdle() returns trigger language plpgsql as $$
    begin perform pg_sleep(0.5); return new; end $$;
    create or replace trigger dawdle before update on imports
      for each row when (new.done_row > old.done_row) execute function dawdle()`);

export const hurry = (admin: pg.Client) => admin.query('drop trigger dawdle on imports');

/** An import that is on its way, somewhere in the middle. */
export async function underWay(on: World) {
  const org = await on.newOrg();
  await dawdle(on.admin);
  const id = await committing(on, org, { rows });
  await rearm(on.database, new Date());
  await expect
    .poll(async () => (await readImport(org, id)).succeeded, { timeout: 60_000, interval: 20 })
    .toBeGreaterThan(0);
  return { org, id };
}
