import { expect, test } from 'vitest';
import { judgeEverywhere } from '../../src/durable/judge-loop.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { newPeople, partsOf, sendTo } from './sent-broadcast.ts';

const world = useWorld();
const batch = 2_000;

async function newHits(org: TestOrg, count: number): Promise<void> {
  const { messages } = await sendTo(world(), org, await newPeople(org, 1));
  await world().admin.query(
    `insert into tracking_hits (org_id, delivery_id, kind, at, agent, method)
     select $1, $2, 'open', now() - make_interval(secs => n), 'agent', 'GET' from generate_series(1, $3::int) n`,
    [org.id, messages[0]!.delivery, count],
  );
}

test('an organization with many hits takes turns with the others, a batch each', async () => {
  const large = await Promise.all(Array.from({ length: 4 }, () => world().newOrg()));
  const small = await world().newOrg();
  for (const org of large) await newHits(org, batch + 1);
  await newHits(small, 1);
  let turns = 0;
  const clock = {
    now: () => {
      if (++turns > 5) throw new Error('enough');
      return new Date(Date.now() + 10_000);
    },
  };
  await judgeEverywhere(world().database, partsOf(world()), clock, () => undefined);
  const { rows } = await world().admin.query<{ org_id: string; left: number }>(
    'select org_id, count(*)::int as left from tracking_hits where verdict is null group by 1',
  );
  const left = new Map(rows.map((row) => [row.org_id, row.left]));
  expect([...large, small].map(({ id }) => left.get(id) ?? 0)).toEqual([1, 1, 1, 1, 0]);
});
