import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { isLong, seed } from '../support/volume.ts';
import { Random } from './random.ts';
import { addPeople, change, newUpperTiers, readWhile, setTier, waysToAsk } from './upper-tiers.ts';

const world = useWorld();
const random = new Random(seed);

/**
 * Pages are read at different moments, and an offset counts from the newest. So this is promised: whoever is a member
 * all the while, and before whom in the order nobody comes or goes, is met exactly once and in order, whatever else
 * changes. Nothing is promised about those behind somebody who came or went.
 */
test('SEG-060 under constant change paging meets everybody once who stays and before whom nobody comes or goes', async () => {
  const tiers = await newUpperTiers(world());
  const add = (howMany: number, from: string, tier: () => number) =>
    addPeople(world(), tiers, random, { howMany, from, tier });
  const staying = await add(240, '2026-02-01T00:00:00Z', () => random.int(10, 99));
  const outside = await add(100, '2026-02-01T00:00:00Z', () => random.pick([0, 1, 9]));
  const last = await add(80, '2026-01-01T00:00:00Z', () => random.pick([0, 5, 50]));
  const totals = new Set<number>();

  /** At the end of the order, where neither runs away from the other however fast each is. */
  const comeOrGo = async (): Promise<void> => {
    const comes = last.length < 60 || (last.length < 120 && random.chance(0.5));
    if (comes) last.push(...(await add(1, '2025-12-01T00:00:00Z', () => 50)));
    else await change(tiers, `DELETE /v1/people/${last.splice(random.int(0, last.length - 1), 1)[0]}`);
  };
  const writers = [
    // Those who stay change in ways that keep them in.
    () => setTier(tiers, random.pick(staying), random.int(10, 99)),
    () => change(tiers, `PATCH /v1/people/${random.pick(staying)}/opt-outs`, { sms_opt_out: true }),
    // Outside the segment people change, and the newest come and go.
    () => setTier(tiers, random.pick(outside), random.pick([1, 9, 9.99, null])),
    async () => {
      const sent = { anonymous_id: random.uuid(), first_name: 'Ada' };
      const { person_id } = await change(tiers, 'POST /v1/people/identify', sent);
      await setTier(tiers, person_id!, 9);
      await change(tiers, `DELETE /v1/people/${person_id}`);
    },
    // Members come and go at the end of the order.
    () => setTier(tiers, random.pick(last), random.pick([5, 50, null])),
    comeOrGo,
    comeOrGo,
  ];
  const read = async (): Promise<void> => {
    const ask = random.pick(waysToAsk(tiers));
    const limit = random.int(15, 120);
    const met: string[] = [];
    for (let offset = 0, isFull = true; isFull; offset += limit) {
      const { people, total } = await ask(limit, offset);
      met.push(...people.map(({ id }) => id));
      totals.add(total);
      isFull = people.length === limit;
    }
    expect(met.slice(0, staying.length)).toEqual(staying);
    const rest = met.slice(staying.length);
    expect(rest.filter((id) => staying.includes(id) || outside.includes(id))).toEqual([]);
  };
  const isEnough = ({ reads, writes }: { reads: number; writes: number }): boolean =>
    reads >= (isLong ? 30 : 12) && writes > 100 && totals.size > 5;
  await readWhile(writers, read, isEnough);
  expect(totals.size).toBeGreaterThan(5);
}, 300_000);
