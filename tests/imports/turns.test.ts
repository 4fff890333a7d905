import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { withRows } from '../support/import.ts';
import { preview } from '../support/import-preview.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ env: { DATABASE_POOL_SIZE: '16' } });

/** How many sessions wait for a lock, once so many do and that number stays. */
async function waiting(atLeast: number): Promise<number> {
  for (let before = -1; ;) {
    await pause(300);
    const now = await lockWaits(world().admin);
    if (now === before && now >= atLeast) return before;
    before = now;
  }
}

test('previews take turns, one of each organization and two in all, and whoever waits holds no connection', async () => {
  const orgs = await Promise.all([1, 2, 3].map(() => world().newOrg()));
  const imports = await Promise.all(
    orgs.map((org) => withRows(org, { mail: 'email' }, [{ mail: 'somebody@example.com' }])),
  );
  const blocker = new pg.Client({ connectionString: world().config.DATABASE_URL });
  await blocker.connect();
  try {
    await blocker.query('begin; lock table import_parts in access exclusive mode');
    const many = world().config.DATABASE_POOL_SIZE + 4;
    const first = Array.from({ length: many }, () => preview(orgs[0]!, imports[0]!));
    expect(await waiting(1)).toBe(1);
    const others = [preview(orgs[1]!, imports[1]!), preview(orgs[2]!, imports[2]!)];
    expect(await waiting(2)).toBe(2);
    expect((await orgs[0]!.rest('GET /v1/people')).status).toBe(200);
    await blocker.query('rollback');
    for (const { rows } of await Promise.all([...first, ...others])) expect(rows).toBe(1);
  } finally {
    await blocker.end();
  }
});

test('a refusal gives its turn back', async () => {
  const org = await world().newOrg();
  const id = await withRows(org, { mail: 'email' }, [{ mail: 'somebody@example.com' }]);
  const unknown = 'POST /v1/imports/01a1dd12-1f04-7342-ac33-48752945cc1d/preview';
  for (let n = 0; n < 3; n++) expect((await org.rest(unknown, {})).status).toBe(404);
  expect((await preview(org, id)).rows).toBe(1);
});
