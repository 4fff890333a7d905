import { expect, onTestFinished, test } from 'vitest';
import { asService } from '../../src/domain/orgs/as-service.ts';
import { judgeHits } from '../../src/domain/tracking/judge-hits.ts';
import { newId } from '../../src/kernel/ids.ts';
import { openCounted } from '../queries/count-queries.ts';
import { useWorld } from '../support/world.ts';
import { newPeople, partsOf, sendTo } from './sent-broadcast.ts';

const world = useWorld();

/** Pages of hits that are touched to judge one, where so many came of one message, a second apart. */
async function pagesOfOne(hits: number): Promise<number> {
  const org = await world().newOrg();
  const { messages } = await sendTo(world(), org, await newPeople(org, 1));
  await world().admin.query(
    `insert into tracking_hits (org_id, delivery_id, kind, at, agent, method)
     select $1, $2, 'open', now() - make_interval(secs => n), 'agent', 'GET' from generate_series(1, $3::int) n`,
    [org.id, messages[0]!.delivery, hits],
  );
  await world().admin.query('analyze tracking_hits');
  const counted = openCounted(world().databaseUrl);
  onTestFinished(() => counted.close());
  const now = new Date(Date.now() + 10_000);
  const asked = { org: org.id, now, actor: 'tracking', requestId: newId(now) };
  const { buffers } = await counted.count(async () => {
    const done = await asService(counted.database, partsOf(world()), asked, judgeHits);
    expect(done).toMatchObject({ judged: hits });
  });
  return buffers['tracking_hits']! / hits;
}

test('a hit costs no more to judge the more there are of its message', async () => {
  expect(await pagesOfOne(1_600)).toBeLessThan(2 * (await pagesOfOne(100)));
});
