import { expect, test } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

/** People with one identifier each, its value the prefix and a number. */
async function crowd(org: TestOrg, howMany: number, prefix: string): Promise<void> {
  await world().admin.query(
    `with made as (
       insert into people (org_id, id, created_at, updated_at)
       select $1, new_id(now()), now(), now() from generate_series(1, $2::int) returning id
     )
     insert into identifiers (org_id, id, person_id, type, value, created_at)
     select $1, new_id(now()), id, 'anonymous_id', $3 || row_number() over (), now() from made`,
    [org.id, howMany, prefix],
  );
}

/** One person with many identifiers, each value the prefix and a number. */
async function collector(org: TestOrg, howMany: number, prefix: string): Promise<string> {
  const id = await org.person({ external_user_id: `collector of ${prefix}` });
  await world().admin.query(
    `insert into identifiers (org_id, id, person_id, type, value, created_at)
     select $1, new_id(now()), $2, 'anonymous_id', $4 || n, now() from generate_series(1, $3::int) n`,
    [org.id, id, howMany, prefix],
  );
  return id;
}

async function found(org: TestOrg, query: string): Promise<string[]> {
  const { body } = await org.rest('POST /v1/people/search', { query });
  const ids = body.people.map((person: { id: string }) => person.id);
  expect(new Set(ids).size).toBe(ids.length);
  return ids;
}

test('PPL-015 PPL-016 of 51 matches 50 are returned, each once, without a total and without paging', async () => {
  const org = await world().newOrg();
  await crowd(org, 50, 'visitor-');
  expect(await found(org, 'visitor')).toHaveLength(50);
  const last = await org.person({ anonymous_id: 'visitor-51' });
  expect(await found(org, 'visitor')).toHaveLength(50);
  expect(await found(org, 'visitor-51')).toEqual([last]);
  const { body } = await org.tool('search_people', { query: 'visitor' });
  expect(Object.keys(body)).toEqual(['people']);
  expect(body.people).toHaveLength(50);
  for (const paging of [{ limit: 100 }, { offset: 50 }, { cursor: 'x' }]) {
    const refused = await org.tool('search_people', { query: 'visitor', ...paging });
    expect(refused).toMatchObject({ isError: true, body: { errors: [{ code: 'unknown_field' }] } });
  }
});

test('PPL-015 PPL-017 people with many matching identifiers do not crowd out the others', async () => {
  const org = await world().newOrg();
  const collectors = [await collector(org, 700, 'common-a'), await collector(org, 700, 'common-b')];
  await crowd(org, 2, 'common-rare');
  const rare = await found(org, 'rare');
  expect(rare).toHaveLength(2);
  expect((await found(org, 'common')).toSorted()).toEqual([...collectors, ...rare].toSorted());
  await crowd(org, 60, 'common-c');
  expect(await found(org, 'common')).toHaveLength(50);
});

test('PPL-013 PPL-015 a rare match among thousands of identifiers is found, a common one gives 50', async () => {
  const org = await world().newOrg();
  const first = await org.person({ email: 'needle-first@example.com' });
  const many = isLong ? 5_000 : 2_000;
  await crowd(org, many, 'visitor-');
  const last = await org.person({ external_user_id: 'needle_LAST 100%' });
  await crowd(org, 45, 'seldom-');
  expect((await found(org, 'needle')).toSorted()).toEqual([first, last].toSorted());
  expect(await found(org, 'Needle_last')).toEqual([last]);
  expect(await found(org, '_')).toEqual([last]);
  expect(await found(org, '%')).toEqual([last]);
  expect(await found(org, '@')).toEqual([first]);
  expect(await found(org, 'seldom')).toHaveLength(45);
  expect(await found(org, `visitor-${many - 1}`)).toHaveLength(1);
  for (const common of ['visitor', 'v', '-', '1', 'visitor-1']) {
    expect(await found(org, common)).toHaveLength(50);
  }
  expect(await found(org, 'nowhere to be found')).toEqual([]);
});
