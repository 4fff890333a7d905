import { expect, test } from 'vitest';
import { addProperty, withRows } from '../support/import.ts';
import { useWorld } from '../support/world.ts';
import { commit, ended, holderOf, importList } from './through-engine.ts';

const world = useWorld({ engine: true });

test('IMP-029 IMP-030 IMP-051 names fill what is absent and never replace, and blank cells do nothing', async () => {
  const org = await world().newOrg();
  await org.person({ email: 'full@example.com', first_name: 'Old', last_name: 'Name' });
  await org.person({ email: 'half@example.com', first_name: 'Half' });
  await org.person({ email: 'blank@example.com', first_name: 'Still', last_name: 'There' });
  const done = await importList(org, { Mail: 'email', First: 'first_name', Last: 'last_name' }, [
    { Mail: 'full@example.com', First: 'New', Last: 'Other' },
    { Mail: 'half@example.com', First: 'New', Last: 'Other' },
    { Mail: 'blank@example.com', First: '  ', Last: null },
    { Mail: 'new@example.com', First: 'First', Last: '' },
    { Mail: 'new@example.com', First: 'Second', Last: 'Later' },
  ]);
  expect(done).toMatchObject({ status: 'completed', succeeded: 5, people_created: 1 });
  const names = async (value: string) => {
    const { first_name, last_name } = await holderOf(world(), org, value);
    return [first_name, last_name];
  };
  expect(await names('full@example.com')).toEqual(['Old', 'Name']);
  expect(await names('half@example.com')).toEqual(['Half', 'Other']);
  expect(await names('blank@example.com')).toEqual(['Still', 'There']);
  expect(await names('new@example.com')).toEqual(['First', 'Later']);
});

test('IMP-035 IMP-038 IMP-051 cells set properties by their type, blank ones keep them, skipped columns leave no trace', async () => {
  const org = await world().newOrg();
  await addProperty(org, 'plan');
  await addProperty(org, 'seats', 'number');
  await addProperty(org, 'vip', 'boolean');
  const known = await org.person({ email: 'known@example.com' });
  for (const [key, value] of Object.entries({ plan: 'free', seats: 3, vip: true }))
    await org.rest(`PUT /v1/people/${known}/properties/${key}`, { value });
  const mapping = {
    Mail: 'email',
    Plan: { property: 'plan' },
    Seats: { property: 'seats' },
    Vip: { property: 'vip' },
    Notes: 'skip',
    More: 'skip',
  };
  const done = await importList(org, mapping, [
    { Mail: 'known@example.com', Plan: 'pro', Seats: ' ', Vip: null, Notes: 'never kept' },
    { Mail: 'new@example.com', Plan: 'pro', Seats: '12.5', Vip: 'false', Notes: 'never kept', More: 7 },
    { Mail: 'new@example.com', Plan: 'max', Seats: '', Notes: 'never kept' },
  ]);
  expect(done).toMatchObject({ status: 'completed', succeeded: 3 });
  expect((await holderOf(world(), org, 'known@example.com')).properties).toEqual({
    plan: 'pro',
    seats: 3,
    vip: true,
  });
  expect((await holderOf(world(), org, 'new@example.com')).properties).toEqual({
    plan: 'max',
    seats: 12.5,
    vip: false,
  });
  const { rows } = await world().admin.query(
    `select 1 from property_values where text_value = 'never kept'
     union all select 1 from identifiers where value = 'never kept'`,
  );
  expect(rows).toEqual([]);
});

test('IMP-036 a new property comes with the commit, with its type and the values of the rows', async () => {
  const org = await world().newOrg();
  const mapping = {
    Mail: 'email',
    Score: { new_property: { key: 'score', name: 'The score', type: 'number' } },
  };
  const rows = [
    { Mail: 'a@example.com', Score: '7' },
    { Mail: 'b@example.com', Score: '' },
  ];
  const configs = async () => (await org.rest('GET /v1/property-configs')).body.property_configs;
  const id = await withRows(org, mapping, rows);
  await org.rest(`POST /v1/imports/${id}/preview`, {});
  expect(await configs()).toEqual([]);
  await commit(org, id);
  expect(await configs()).toMatchObject([{ key: 'score', name: 'The score', type: 'number' }]);
  expect(await ended(org, id)).toMatchObject({ status: 'completed', succeeded: 2 });
  expect((await holderOf(world(), org, 'a@example.com')).properties).toEqual({ score: 7 });
  expect((await holderOf(world(), org, 'b@example.com')).properties).not.toMatchObject({
    score: expect.anything(),
  });
});
