import { expect, test } from 'vitest';
import { sweep, rearm } from '../../src/durable/sweep.ts';
import { differences, newProperty } from '../properties/page-mirror.ts';
import { peopleWithValues, removalsOf, removeSome } from '../support/removals.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ engine: true });
const soon = { timeout: 60_000, interval: 50 };

async function arrange() {
  const org = await world().newOrg();
  const tier = await newProperty(org, 'tier', 'string');
  const seats = await newProperty(org, 'seats', 'number');
  return { org, tier, seats, people: await peopleWithValues(world(), org) };
}

/** A property that was deleted and some of whose values are gone, when the process and the engine's message died. */
async function interrupted(at: Date) {
  const arranged = await arrange();
  const { org, tier } = arranged;
  const { admin } = world();
  await admin.query('begin');
  await admin.query(
    `insert into property_removals (org_id, config_id, type, slot, run_at)
     select org_id, id, type, slot, now() from property_configs where id = $1`,
    [tier],
  );
  await admin.query('delete from property_configs where id = $1', [tier]);
  await admin.query('commit');
  await removeSome(world(), org, tier, 500);
  await admin.query('update property_removals set run_at = $1 where org_id = $2', [at, org.id]);
  return arranged;
}

test('the engine removes the values of deleted properties and gives their places back', async () => {
  const { org, tier, seats } = await arrange();
  const answers = await Promise.all([tier, seats].map((id) => org.rest(`DELETE /v1/property-configs/${id}`)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  await expect.poll(() => removalsOf(world(), org), soon).toEqual([]);
  const { rows } = await world().admin.query('select 1 from property_values where org_id = $1', [org.id]);
  expect(rows).toEqual([]);
  expect(await differences(world().admin)).toEqual([]);
});

test('one that was interrupted is told again by the sweep, not before its time, and goes on where it was', async () => {
  const now = Date.now();
  const { org, tier, people } = await interrupted(new Date(now));
  await sweep(world().database, new Date(now + 20_000));
  expect(await removalsOf(world(), org)).toEqual([[tier, people.length - 500]]);
  await sweep(world().database, new Date(now + 40_000));
  await expect.poll(() => removalsOf(world(), org), soon).toEqual([]);
  expect(await differences(world().admin)).toEqual([]);
});

test('an engine that lost everything is told by rearm', async () => {
  const { org } = await interrupted(new Date());
  await rearm(world().database, new Date());
  await expect.poll(() => removalsOf(world(), org), soon).toEqual([]);
  expect(await differences(world().admin)).toEqual([]);
});
