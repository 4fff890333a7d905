import { expect, test } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { judge, newPeople, sendTo } from './sent-broadcast.ts';

const world = useWorld();

/** People's clicks and openings, minutes apart as people make them, so many minutes after the message. */
async function hit(delivery: number, link: number | null, after: number): Promise<void> {
  await world().admin.query(
    `insert into tracking_hits (org_id, delivery_id, kind, link, at, agent, method)
     select org_id, id, $2, $3, sent_at + make_interval(mins => $4), 'test', 'GET' from deliveries where id = $1`,
    [delivery, link === null ? 'open' : 'click', link, after],
  );
}

const linksOf = async (org: TestOrg, id: string) =>
  (await org.rest(`GET /v1/broadcasts/${id}/stats`)).body.links;

test('clicks are told by link: how many there were, and out of how many messages', async () => {
  const org = await world().newOrg();
  const { id, messages } = await sendTo(world(), org, await newPeople(org, 3));
  const [ann, ben, cem] = messages.map(({ delivery }) => delivery) as [number, number, number];
  const links = (...counts: readonly (readonly [number, number])[]) =>
    ['https://a.example/1', 'https://a.example/2?x=1&y=2'].map((url, at) => ({
      url,
      placeholder: null,
      clicked: counts[at]![0],
      clicks: counts[at]![1],
    }));
  expect(await linksOf(org, id)).toEqual(links([0, 0], [0, 0]));
  await hit(ann, 0, 10);
  await hit(ann, 0, 15);
  await hit(ann, 1, 20);
  await hit(ben, 0, 12);
  await hit(cem, null, 12);
  await judge(world());
  expect(await linksOf(org, id)).toEqual(links([2, 3], [1, 1]));
  await hit(ann, 0, 30);
  await hit(cem, 0, 30);
  await judge(world());
  expect(await linksOf(org, id)).toEqual(links([3, 5], [1, 1]));
  const { totals } = (await org.rest(`GET /v1/broadcasts/${id}/stats`)).body;
  expect(totals).toMatchObject({ opened: 3, clicked: 3 });
});

test('recipients are found by whether they opened or clicked, and a cursor goes on with that alone', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  const { id, messages } = await sendTo(world(), org, await newPeople(org, 5));
  const [a, b, c, d, e] = messages.map(({ person }) => person);
  await hit(messages[0]!.delivery, null, 10);
  await hit(messages[1]!.delivery, null, 11);
  await hit(messages[2]!.delivery, 1, 12);
  await judge(world());
  const route = `GET /v1/broadcasts/${id}/recipients`;
  const people = async (query: string): Promise<string[]> =>
    (await org.rest(`${route}?${query}`)).body.recipients.map(
      ({ person_id }: { person_id: string }) => person_id,
    );
  expect(await people('opened=true')).toEqual([a, b, c]);
  expect(await people('opened=false')).toEqual([d, e]);
  expect(await people('clicked=true')).toEqual([c]);
  expect(await people('opened=true&clicked=false&outcome=sent')).toEqual([a, b]);
  expect(await people('clicked=true&outcome=skipped')).toEqual([]);
  const { body } = await org.rest(`${route}?opened=true&limit=2`);
  expect(await people(`opened=true&limit=2&cursor=${body.next_cursor}`)).toEqual([c]);
  expect((await org.rest(`${route}?limit=2&cursor=${body.next_cursor}`)).status).toBe(400);
  expect((await org.rest(`${route}?opened=maybe`)).status).toBe(400);
  expect((await other.rest(`${route}?opened=true`)).status).toBe(404);
  const blind = await world().newKey(org, ['people.read', 'broadcasts.write']);
  expect((await blind.rest(`${route}?opened=true`)).status).toBe(403);
});

test('who followed which link is listed: once each, page by page, and by the link alone', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  const { id, messages } = await sendTo(world(), org, await newPeople(org, 5));
  const [a, b, c, d] = messages.map(({ person }) => person);
  const [first, second, third, fourth, fifth] = messages.map(({ delivery }) => delivery) as number[];
  await hit(first!, 0, 10);
  await hit(first!, 0, 20);
  await hit(first!, 1, 30);
  await hit(second!, 1, 10);
  await hit(third!, 0, 10);
  await judge(world());
  await hit(first!, 0, 40);
  await hit(fourth!, 0, 10);
  await hit(fifth!, 0, 0); // a scanner, right after it was sent
  await judge(world());
  const route = `GET /v1/broadcasts/${id}/recipients`;
  const one = encodeURIComponent('https://a.example/1');
  const page = async (query: string) => {
    const { body } = await org.rest(`${route}?${query}`);
    return [
      body.recipients.map(({ person_id }: { person_id: string }) => person_id),
      body.next_cursor,
    ] as const;
  };
  expect(await page(`link=${one}`)).toEqual([[a, c, d], null]);
  const [some, next] = await page(`link=${one}&limit=2`);
  expect(some).toEqual([a, c]);
  expect(await page(`link=${one}&limit=2&cursor=${next}`)).toEqual([[d], null]);
  const two = encodeURIComponent('https://a.example/2?x=1&y=2');
  expect(await page(`link=${two}`)).toEqual([[a, b], null]);
  expect((await org.rest(`${route}?link=${two}&cursor=${next}`)).status).toBe(400);
  expect(await page(`link=${encodeURIComponent('https://a.example/3')}`)).toEqual([[], null]);
  const { status, body } = await org.rest(`${route}?link=${one}&opened=true`);
  expect([status, body.errors[0].pointer]).toEqual([400, '/link']);
  expect((await other.rest(`${route}?link=${one}`)).status).toBe(404);
});
