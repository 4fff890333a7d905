import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import type { Engine } from '../../src/durable/engine.ts';
import { readOutboxAge } from '../../src/database/ready.ts';
import { relayBatch } from '../../src/durable/relay-batch.ts';
import { openCounted } from '../queries/count-queries.ts';
import { holdSnapshot } from '../support/held-snapshot.ts';
import { measured } from '../support/measured.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const many = 60_000;

const takesAll: Engine = { send: async () => true, healthy: async () => true };

const add = (org: string, count: number) =>
  world().admin.query(
    `insert into outbox (org_id, service, handler, payload, created_at)
     select $1, 'Any', 'do', '{}', now() from generate_series(1, $2::int)`,
    [org, count],
  );

afterEach(() => world().admin.query('delete from outbox'));

test(
  'a relay finds the next message at the same cost, however many were taken while somebody holds a snapshot',
  measured,
  async () => {
    const org = await world().newOrg();
    const counted = openCounted(world().config.DATABASE_URL);
    const release = await holdSnapshot(world());
    try {
      const { round } = await relayBatch(world().database, takesAll);
      const cost = async (last: typeof round): Promise<number> => {
        const { buffers } = await counted.count(() =>
          relayBatch(counted.database, takesAll, { round: last }),
        );
        return Object.values(buffers).reduce((sum, count) => sum + count, 0);
      };
      await add(org.id, 1);
      const first = await cost(round);
      await add(org.id, many);
      await world().admin.query('delete from outbox'); // as a relay leaves them, by and by
      const { round: later, found } = await relayBatch(world().database, takesAll);
      expect(found).toBe(0);
      await add(org.id, 1);
      expect(await cost(later)).toBeLessThan(first + 20);
      const { buffers } = await counted.count(() => readOutboxAge(counted.database, new Date()));
      expect(buffers['outbox']).toBeLessThan(20);
    } finally {
      await release();
      await counted.close();
    }
  },
);

test('a message of a transaction that began long before others is not passed over', async () => {
  const org = await world().newOrg();
  const client = new pg.Client({ connectionString: world().config.DATABASE_URL });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(
      `insert into outbox (org_id, service, handler, payload, created_at) values ($1, 'Late', 'do', '{}', now())`,
      [org.id],
    );
    await add(org.id, 3);
    let { found, round } = await relayBatch(world().database, takesAll);
    expect(found).toBe(3);
    ({ found, round } = await relayBatch(world().database, takesAll, { round: { ...round, at: -Infinity } }));
    expect(found).toBe(0);
    await client.query('commit');
    ({ found } = await relayBatch(world().database, takesAll, { round }));
    expect(found).toBe(1);
  } finally {
    await client.end();
  }
});

test('in a database that was restored where transactions count anew, nothing is passed over', async () => {
  const org = await world().newOrg();
  await world().admin.query('update installation set outbox_from = 1::bigint << 60');
  await add(org.id, 2);
  expect((await readOutboxAge(world().database, new Date(Date.now() + 5_000))).seconds).toBeGreaterThan(1);
  expect(await relayBatch(world().database, takesAll)).toMatchObject({ found: 2 });
});
