import { Agent, request } from 'node:http';
import { expect, test, vi } from 'vitest';
import type { Hit } from '../../src/domain/tracking/hit.ts';
import { hitBatches, type WriteHits } from '../../src/faces/public/track-batch.ts';
import type { OrgId } from '../../src/kernel/ids.ts';
import { Random } from '../segments/random.ts';
import type { TestOrg } from '../support/test-org.ts';
import { isLong, seed } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { browser, hitsOf, judge, sendTo, totalsOf, type SentBroadcast } from './sent-broadcast.ts';

const world = useWorld();
const random = new Random(seed);
const many = isLong ? 400 : 120;

/** Many people, without a call for each. */
async function manyPeople(org: TestOrg, count: number): Promise<string[]> {
  const { rows } = await world().admin.query<{ id: string }>(
    `insert into people (org_id, id, created_at, updated_at)
     select $1, gen_random_uuid(), now(), now() from generate_series(1, $2::int) returning id`,
    [org.id, count],
  );
  return rows.map(({ id }) => id);
}

/** Follows every url, fifty at a time, over connections that stay open. */
async function followAll(urls: readonly string[]): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  const one = (url: string): Promise<number> =>
    new Promise((resolve, reject) => {
      request(url, { agent, headers: { 'user-agent': browser } }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      })
        .on('error', reject)
        .end();
    });
  const statuses = await Promise.all(urls.map(one));
  agent.destroy();
  return statuses;
}

async function countsOf({ id }: SentBroadcast): Promise<Record<string, number>> {
  const { rows } = await world().admin.query(
    `select count(*) filter (where name = '$svc_email_opened')::int as opened,
       count(*) filter (where name = '$svc_email_clicked')::int as clicked
     from events where custom_properties ->> 'broadcast_id' = $1`,
    [id],
  );
  return rows[0];
}

test('thousands of hits at once are all there, and every message counts once however many judge them', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  const sent = await sendTo(world(), org, await manyPeople(org, many));
  const beside = await sendTo(world(), other, await manyPeople(other, 50));
  const urls = [...sent.messages, ...beside.messages].flatMap(({ urls: to }, index) => {
    const opens = Array.from({ length: 1 + (index % 5) }, () => to.open);
    return index % 2 === 0 ? [...opens, to.click(0), to.click(0), to.click(0)] : opens;
  });
  const statuses = await followAll(urls.toSorted(() => random.next() - 0.5));
  expect(new Set(statuses)).toEqual(new Set([200, 302]));
  const stored = [...(await hitsOf(world(), sent)), ...(await hitsOf(world(), beside))];
  expect(stored).toHaveLength(urls.length);
  const judged = await Promise.all([judge(world(), 30), judge(world(), 30), judge(world(), 30)]);
  expect(judged.reduce((sum, one) => sum + one, 0)).toBe(urls.length);
  expect(await totalsOf(world(), sent)).toMatchObject({ opened: many, clicked: many / 2 });
  expect(await totalsOf(world(), beside)).toMatchObject({ opened: 50, clicked: 25 });
  expect(await countsOf(sent)).toEqual({ opened: many, clicked: many / 2 });
  expect(await countsOf(beside)).toEqual({ opened: 50, clicked: 25 });
  const { rows } = await world().admin.query(
    `select opened_at, clicked_at, p.last_opened_at, p.last_clicked_at,
       round((power(2, p.engagement - extract(epoch from d.opened_at)::float8 / 2592000))::numeric, 2)::float8 as raw
     from deliveries d join people p on p.id = d.person_id where d.broadcast_id = $1`,
    [sent.id],
  );
  for (const { opened_at, clicked_at, last_opened_at, last_clicked_at, raw } of rows) {
    expect(last_opened_at >= opened_at).toBe(true);
    expect(clicked_at === null ? raw : raw - 4).toBe(1);
    expect(last_clicked_at === null).toBe(clicked_at === null);
  }
  expect(await judge(world(), 60)).toBe(0);
});

test('the totals by time are those of the ledger', async () => {
  const org = await world().newOrg();
  const sent = await sendTo(world(), org, await manyPeople(org, 20));
  await followAll(sent.messages.map(({ urls }, index) => (index % 2 === 0 ? urls.open : urls.click(0))));
  await judge(world(), 30);
  const { rows } = await world().admin.query(
    `select kind, sum(count)::int as count from broadcast_tallies where broadcast_id = $1 and kind <> 'sent'
     group by kind order by kind`,
    [sent.id],
  );
  expect(rows).toEqual([
    { kind: 'clicked', count: 10 },
    { kind: 'opened', count: 20 },
  ]);
});

test('who opens while people are merged and others judge is counted once, and nothing stands still', async () => {
  const org = await world().newOrg();
  const pairs = Array.from({ length: 12 }, (_, index) => ({
    email: `one-${index}@example.com`,
    phone: `+1555020${String(index).padStart(4, '0')}`,
  }));
  const ones = await Promise.all(pairs.map(({ email }) => org.person({ email })));
  const others = await Promise.all(pairs.map(({ phone }) => org.person({ phone })));
  const sent = await sendTo(world(), org, [...ones, ...others]);
  await followAll(sent.messages.map(({ urls }) => urls.open));
  const merged = Promise.all(pairs.map((pair) => org.rest('POST /v1/people/identify', pair)));
  await Promise.all([merged, judge(world(), 30), judge(world(), 30), judge(world(), 30)]);
  expect((await merged).map(({ status }) => status)).toEqual(Array(12).fill(200));
  expect(await totalsOf(world(), sent)).toMatchObject({ opened: 24 });
  expect(await countsOf(sent)).toMatchObject({ opened: 24 });
  const { rows } = await world().admin.query(
    `select round(power(2, engagement - extract(epoch from now())::float8 / 2592000)::numeric, 2)::float8 as raw
     from people where org_id = $1`,
    [org.id],
  );
  expect(rows).toEqual(Array(12).fill({ raw: 2 }));
});

const hit: Hit = { delivery: 1, kind: 'open', link: null, at: new Date(0), agent: '', method: 'GET' };
const orgs = ['a', 'b'] as unknown as [OrgId, OrgId];

test('hits are written together, an organization at a time, and five hundred do not wait', async () => {
  const write = vi.fn<WriteHits>(async (_org, hits) => hits.map(({ delivery }) => `to ${delivery}`));
  const add = hitBatches(write);
  const answers = Array.from({ length: 30 }, (_, delivery) => add(orgs[delivery % 2]!, { ...hit, delivery }));
  expect(await Promise.all(answers)).toEqual(Array.from({ length: 30 }, (_, delivery) => `to ${delivery}`));
  expect(write.mock.calls.map(([org, hits]) => [org, hits.length])).toEqual([
    ['a', 15],
    ['b', 15],
  ]);
  const full = Array.from({ length: 500 }, () => add(orgs[0], hit));
  expect(write).toHaveBeenCalledTimes(3);
  await Promise.all(full);
});

test('one organization that cannot be written holds up no other', async () => {
  const add = hitBatches((org, hits) =>
    org === orgs[0] ? Promise.reject(new Error('away')) : Promise.resolve(hits.map(() => 'there')),
  );
  const [one, other] = [add(orgs[0], hit), add(orgs[1], hit)];
  await expect(one).rejects.toThrow('away');
  expect(await other).toBe('there');
});

test('when too many wait, more are refused at once, and taken again later', async () => {
  const held = Promise.withResolvers<void>();
  const add = hitBatches(async (_org, hits) => {
    await held.promise;
    return hits.map(() => undefined);
  });
  const waiting = Array.from({ length: 10_000 }, () => add(orgs[0], hit));
  await expect(add(orgs[0], hit)).rejects.toThrow('too many');
  held.resolve();
  await Promise.all(waiting);
  await expect(add(orgs[0], hit)).resolves.toBeUndefined();
});
