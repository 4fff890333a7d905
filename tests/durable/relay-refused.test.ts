import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Engine } from '../../src/durable/engine.ts';
import { runRelay } from '../../src/durable/relay.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('messages that the engine does not take, however many, hold up none of the others', async () => {
  const org = await world().newOrg();
  const add = (service: string, count: number) =>
    world().admin.query(
      `insert into outbox (org_id, service, handler, payload, created_at)
       select $1, $2, 'do', '{}', now() from generate_series(1, $3)`,
      [org.id, service, count],
    );
  await add('NotServedYet', 450);
  await add('Served', 3);
  const taken: string[] = [];
  let isServed = false;
  const engine: Engine = {
    send: async ({ service }) => {
      if (service === 'NotServedYet' && !isServed) return false;
      taken.push(service);
      return true;
    },
    healthy: async () => true,
  };
  const stop = new AbortController();
  const relaying = runRelay(world().database, engine, stop.signal, () => undefined);
  await expect.poll(() => taken.length).toBe(3);
  await add('Served', 1);
  await expect.poll(() => taken.length).toBe(4);
  isServed = true;
  await expect.poll(() => taken.length).toBe(454);
  await pause(200);
  stop.abort();
  await relaying;
  const { rows } = await world().admin.query('select 1 from outbox where org_id = $1', [org.id]);
  expect(rows).toEqual([]);
});
