import { beforeAll, expect, test } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const everybody = 203;
let org: TestOrg;
beforeAll(async () => {
  org = await world().newOrg();
  await world().admin.query(
    `insert into people (org_id, id, first_name, health_band, created_at, updated_at)
     select $1, new_id(now()), case when n % 2 = 0 then 'Even' end, case when n % 3 = 0 then 'power' end, now(), now()
     from generate_series(1, ${everybody}) n`,
    [org.id],
  );
});

const idsOf = (body: { people: { id: string }[] }): string[] => body.people.map(({ id }) => id);

test('PPL-020 with no arguments people of the organization are listed', async () => {
  const small = await world().newOrg();
  const empty = await small.tool('list_people');
  expect(empty).toMatchObject({ isError: false, body: { people: [], total: 0 } });
  const people = [await small.person({ email: 'ada@example.com' }), await small.person({ phone: '+1555' })];
  for (const { body } of [await small.tool('list_people', {}), await small.rest('GET /v1/people')]) {
    expect(idsOf(body).toSorted()).toEqual(people.toSorted());
    expect(body.total).toBe(2);
  }
});

test('PPL-022 total is the full matching count, whatever the page', async () => {
  for (const page of [{}, { limit: 1 }, { limit: 200, offset: 200 }, { offset: 100_000 }]) {
    expect((await org.tool('list_people', page)).body.total).toBe(everybody);
    expect((await org.tool('list_people', { ...page, identified: true })).body.total).toBe(101);
    expect((await org.tool('list_people', { ...page, health_band: 'power' })).body.total).toBe(67);
  }
  const past = await org.rest(`GET /v1/people?offset=${everybody}`);
  expect(past.body).toEqual({ people: [], total: everybody, limit: 50, offset: everybody });
});

test('PPL-037 limit accepts 1 to 200', async () => {
  for (const limit of [1, 2, 199, 200]) {
    const { body } = await org.rest(`GET /v1/people?limit=${limit}`);
    expect(body.people).toHaveLength(limit);
    expect(body.limit).toBe(limit);
  }
});

test('PPL-037 a limit outside 1 to 200, or no whole number, is refused', async () => {
  for (const limit of [0, -1, 201, 1000, 1.5, '10', null]) {
    const { isError, body } = await org.tool('list_people', { limit });
    expect({ isError, at: body.errors[0].pointer }).toEqual({ isError: true, at: '/limit' });
    expect(body).not.toHaveProperty('people');
  }
  for (const limit of ['0', '201', '1.5', 'ten', '', '-1']) {
    expect((await org.rest(`GET /v1/people?limit=${limit}`)).status).toBe(400);
  }
});

test('PPL-038 without limit at most 50 people are returned', async () => {
  for (const { body } of [await org.tool('list_people'), await org.rest('GET /v1/people?offset=10')]) {
    expect(body.people).toHaveLength(50);
    expect(new Set(idsOf(body)).size).toBe(50);
  }
});

test('PPL-039 without offset the list starts at the first', async () => {
  const all = idsOf((await org.tool('list_people', { limit: 200, offset: 0 })).body);
  expect(idsOf((await org.tool('list_people', { limit: 5 })).body)).toEqual(all.slice(0, 5));
  expect(idsOf((await org.rest('GET /v1/people?limit=5&offset=5')).body)).toEqual(all.slice(5, 10));
  for (const offset of [-1, 0.5, '1']) expect((await org.tool('list_people', { offset })).isError).toBe(true);
});

test('PPL-041 two hundred people made at one moment are paged through without skip or repeat', async () => {
  for (const order of ['asc', 'desc']) {
    const seen: string[] = [];
    for (let offset = 0; offset < everybody; offset += 29) {
      seen.push(...idsOf((await org.tool('list_people', { order, limit: 29, offset })).body));
    }
    expect(seen).toHaveLength(everybody);
    expect(new Set(seen).size).toBe(everybody);
  }
});

test('PPL-041 ties are broken by id also when no index happens to hold people in that order', async () => {
  await world().admin.query('drop index people_by_created_at');
  for (const order of ['asc', 'desc']) {
    const seen: string[] = [];
    for (let offset = 0; offset < everybody; offset += 29) {
      seen.push(...idsOf((await org.tool('list_people', { order, limit: 29, offset })).body));
    }
    const ascending = [...new Set(seen)].toSorted();
    expect(ascending).toHaveLength(everybody);
    expect(seen).toEqual(order === 'asc' ? ascending : ascending.toReversed());
  }
});
