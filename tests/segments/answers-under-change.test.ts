import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { isLong, seed } from '../support/volume.ts';
import { Random } from './random.ts';
import {
  addPeople,
  change,
  filters,
  newUpperTiers,
  readWhile,
  setTier,
  waysToAsk,
  type UpperTiers,
} from './upper-tiers.ts';

const world = useWorld();
const random = new Random(seed);
/** Answers looked at. */
const answers = isLong ? 300 : 60;
const from = '2026-02-01T00:00:00Z';

/** One answer in which all can be seen at once, from any face: how many it holds and how many it says there are. */
async function askForAll(tiers: UpperTiers): Promise<{ held: number; total: number }> {
  const { people, total } = await random.pick(waysToAsk(tiers))(200, 0);
  expect(new Set(people.map(({ id }) => id)).size).toBe(people.length);
  return { held: people.length, total };
}

test('SEG-057 under heavy change total is in every answer the number of members at the moment of that answer', async () => {
  const tiers = await newUpperTiers(world());
  const add = (howMany: number) =>
    addPeople(world(), tiers, random, { howMany, from, tier: () => random.pick([0, 5, 50]) });
  const people = await add(150);
  const move = () => setTier(tiers, random.pick(people), random.pick([9, 10, null]));
  const replace = async (): Promise<void> => {
    people.push(...(await add(1)));
    await change(tiers, `DELETE /v1/people/${people.splice(random.int(0, 100), 1)[0]}`);
  };
  const totals = new Set<number>();
  const read = async (): Promise<void> => {
    const { held, total } = await askForAll(tiers);
    expect(held).toBe(total);
    totals.add(total);
  };
  await readWhile(
    [move, move, move, replace, replace],
    read,
    ({ reads, writes }) => reads >= answers && writes > 100 && totals.size > 5,
  );
  expect(totals.size).toBeGreaterThan(5);
}, 300_000);

test('SEG-057 when as many leave as join in one moment, no answer shows the one without the other', async () => {
  const tiers = await newUpperTiers(world());
  const within = await addPeople(world(), tiers, random, { howMany: 60, from, tier: () => 90 });
  const without = await addPeople(world(), tiers, random, { howMany: 60, from, tier: () => 5 });
  const swap = async (): Promise<void> => {
    const start = random.int(0, 40);
    const pairs = [...within.slice(start, start + 20), ...without.slice(start, start + 20)];
    await world().admin.query(
      `update property_values set number_value = 95 - number_value where org_id = $1 and person_id = any ($2)`,
      [tiers.org.id, pairs],
    );
  };
  const read = async (): Promise<void> => {
    expect(await askForAll(tiers)).toEqual({ held: 60, total: 60 });
    const { body } = await tiers.org.rest('POST /v1/segments/preview', { filters });
    expect(body).toMatchObject({ count: 60, reachable_by_email: 0 });
    expect(body.samples).toHaveLength(5);
  };
  await readWhile([swap], read, ({ reads, writes }) => reads >= answers && writes > 20);
}, 300_000);
