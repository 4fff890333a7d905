import { expect, test } from 'vitest';
import type { Engine } from '../../src/durable/engine.ts';
import { relayBatch } from '../../src/durable/relay-batch.ts';
import { rearm, sweep } from '../../src/durable/sweep.ts';
import { advanceClock } from '../support/sending.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const takesAll: Engine = { send: async () => true, healthy: async () => true };
const day = 86_400;

const toldOf = async (change: string): Promise<number> => {
  const { rows } = await world().admin.query<{ n: string }>(
    `select count(*) as n from outbox where payload ->> 'change_id' = $1`,
    [change],
  );
  return Number(rows[0]!.n);
};

test('custom properties that the engine forgot are told again although the organization is days ahead', async () => {
  const org = await world().newOrg();
  await org.rest('POST /v1/property-configs', { key: 'seats', name: 'Seats', type: 'number' });
  await advanceClock(org, 10 * day);
  const asked = Date.now();
  await org.person({ email: 'a@example.com', custom_properties: { seats: 5 } });
  const answered = Date.now();
  const { rows } = await world().admin.query<{ id: string }>(
    'select id from property_changes where org_id = $1',
    [org.id],
  );
  const change = rows[0]!.id;
  const lose = () => relayBatch(world().database, takesAll); // taken, and then lost with the engine
  await lose();
  await sweep(world().database, new Date(asked + 29_000));
  expect(await toldOf(change)).toBe(0);
  await sweep(world().database, new Date(answered + 31_000));
  expect(await toldOf(change)).toBe(1);
  await lose();
  await rearm(world().database, new Date(answered + 1_000));
  expect(await toldOf(change)).toBe(1);
});
