import { expect, test } from 'vitest';
import type { Engine } from '../../src/durable/engine.ts';
import { relayBatch } from '../../src/durable/relay-batch.ts';
import { sweep } from '../../src/durable/sweep.ts';
import { applyChanges } from '../../src/domain/properties/apply-changes.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

/** An engine that is away, or takes what it is given. */
const engine = (takes: boolean, sent: string[] = []): Engine => ({
  send: async (_message, id) => {
    if (!takes) throw new Error('connection refused');
    sent.push(id);
    return true;
  },
  healthy: async () => takes,
});

async function requestChange(value: number) {
  const org = await world().newOrg();
  await org.rest('POST /v1/property-configs', { key: 'seats', name: 'Seats', type: 'number' });
  const person_id = await org.person({ email: 'a@example.com', custom_properties: { seats: value } });
  const { rows } = await world().admin.query<{ id: string }>(
    'select id from property_changes where org_id = $1',
    [org.id],
  );
  return { org, person_id, changeId: rows[0]!.id };
}

const countOutbox = async (): Promise<number> => {
  const { rows } = await world().admin.query<{ n: string }>('select count(*) as n from outbox');
  return Number(rows[0]!.n);
};

test('a message stays in the outbox while the engine is away, and leaves it once taken', async () => {
  await requestChange(1);
  expect(await countOutbox()).toBe(1);
  expect(await relayBatch(world().database, engine(false))).toMatchObject({ found: 1, taken: 0 });
  expect(await countOutbox()).toBe(1);
  const sent: string[] = [];
  expect(await relayBatch(world().database, engine(true, sent))).toMatchObject({ found: 1, taken: 1 });
  expect(sent).toHaveLength(1);
  expect(await countOutbox()).toBe(0);
});

test('two relays at once never hand one message over twice', async () => {
  for (let n = 0; n < 30; n++) await requestChange(n);
  const sent: string[] = [];
  const slow: Engine = {
    ...engine(true),
    send: async (_message, id) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      sent.push(id);
      return true;
    },
  };
  await Promise.all([1, 2, 3].map(() => relayBatch(world().database, slow)));
  expect(sent).toHaveLength(30);
  expect(new Set(sent).size).toBe(30);
});

test('a change that the engine forgot is told again by the sweep, once', async () => {
  // What other tests left unapplied would be told of as well.
  await world().admin.query('delete from property_changes');
  const asked = Date.now();
  const { org, person_id, changeId } = await requestChange(5);
  await relayBatch(world().database, engine(true)); // taken, and then lost with the engine
  const later = new Date(Date.now() + 31_000);
  expect((await sweep(world().database, new Date(asked + 29_000), 30)).rearmed).toBe(0);
  const before = await countOutbox();
  await sweep(world().database, later);
  await sweep(world().database, later);
  const { rows } = await world().admin.query<{ n: string }>(
    `select count(*) as n from outbox where payload ->> 'change_id' = $1`,
    [changeId],
  );
  expect(Number(rows[0]!.n)).toBe(1);
  expect(await countOutbox()).toBeGreaterThan(before);
  expect(await applyChanges(world().database, org.id, changeId)).toBe(true);
  expect(await applyChanges(world().database, org.id, changeId)).toBe(false);
  const read = await org.rest(`GET /v1/people/${person_id}/properties`);
  expect(read.body.properties).toMatchObject([{ key: 'seats', value: 5 }]);
});

test('a change applied late never overwrites a newer value', async () => {
  const { org, person_id, changeId } = await requestChange(1);
  await org.rest(`PUT /v1/people/${person_id}/properties/seats`, { value: 2 });
  await applyChanges(world().database, org.id, changeId);
  const read = await org.rest(`GET /v1/people/${person_id}/properties`);
  expect(read.body.properties).toMatchObject([{ key: 'seats', value: 2 }]);
});

test('nothing personal is handed to the engine', async () => {
  const { org } = await requestChange(3);
  const { rows } = await world().admin.query<{ payload: object }>(
    'select payload from outbox where org_id = $1',
    [org.id],
  );
  expect(Object.keys(rows[0]!.payload).toSorted()).toEqual(['change_id', 'org_id', 'request_id']);
});

test('what cannot be looked at keeps the sweep from nothing else, and is told', async () => {
  const { changeId } = await requestChange(6);
  await relayBatch(world().database, engine(true));
  await world().admin.query('revoke select on delivery_lanes from rostrum_relay');
  await world().admin.query(
    'revoke select (org_id, broadcast_id, lane, next_at) on delivery_lanes from rostrum_relay',
  );
  const later = new Date(Date.now() + 31_000);
  await expect(sweep(world().database, later)).rejects.toThrow('permission denied for table delivery_lanes');
  const { rows } = await world().admin.query(`select 1 from outbox where payload ->> 'change_id' = $1`, [
    changeId,
  ]);
  expect(rows).toHaveLength(1);
  await world().admin.query(
    'grant select (org_id, broadcast_id, lane, next_at) on delivery_lanes to rostrum_relay',
  );
});

const fill = (org: string, count: number) =>
  world().admin.query(
    `insert into outbox (org_id, service, handler, payload, created_at)
     select $1, 'Large', 'do', jsonb_build_object('org_id', $1::uuid, 'n', n), now() from generate_series(1, $2) n`,
    [org, count],
  );

test('a message waits for none of another organization, however many there are before it', async () => {
  await world().admin.query('delete from outbox');
  const [busy, small, other] = [await world().newOrg(), await world().newOrg(), await world().newOrg()];
  await fill(busy.id, 6_000);
  await fill(small.id, 2);
  await fill(other.id, 1);
  const sent: [string, number][] = [];
  const takes: Engine = {
    ...engine(true),
    send: async ({ payload }) => {
      sent.push([payload['org_id'] as string, payload['n'] as number]);
      return true;
    },
  };
  await relayBatch(world().database, takes);
  expect(new Set(sent.slice(0, 3).map(([org]) => org))).toEqual(new Set([busy.id, small.id, other.id]));
  const ofSmall = sent.filter(([org]) => org === small.id).map(([, n]) => n);
  expect([ofSmall, sent.filter(([org]) => org === other.id).length]).toEqual([[1, 2], 1]);
  // Of one organization the oldest go first.
  expect(sent.filter(([org]) => org === busy.id).map(([, n]) => n)).toEqual(
    sent.filter(([org]) => org === busy.id).map((_, at) => at + 1),
  );
  await world().admin.query('delete from outbox');
});

test('more organizations than fit into a batch have their turns one after another', async () => {
  const orgs = [];
  for (let n = 0; n < 70; n++) orgs.push(await world().newOrg());
  for (const { id } of orgs) await fill(id, 2);
  const sent: string[] = [];
  const takes: Engine = {
    ...engine(true),
    send: async ({ payload }) => sent.push(payload['org_id'] as string) > 0,
  };
  const { next } = await relayBatch(world().database, takes);
  expect(new Set(sent).size).toBe(64);
  await relayBatch(world().database, takes, { after: next });
  expect(new Set(sent).size).toBe(70);
  await world().admin.query('delete from outbox');
});

test('a message made after a restore has a key that the engine has never seen', async () => {
  await requestChange(7);
  const before: string[] = [];
  await relayBatch(world().database, engine(true, before));
  // A restored database repeats its numbers.
  await world().admin.query(`select setval(pg_get_serial_sequence('outbox', 'id'), 1, false)`);
  await requestChange(8);
  const after: string[] = [];
  await relayBatch(world().database, engine(true, after));
  expect(after).toHaveLength(1);
  expect(before).not.toContain(after[0]);
});
