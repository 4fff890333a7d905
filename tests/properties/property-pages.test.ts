// property_pages repeats property_values, whatever is done to people, values and configs.
import { expect, test } from 'vitest';
import type { PropertyType } from '../../src/domain/properties/property-config.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { cellsOf, differences, newProperty, setAll } from './page-mirror.ts';

const world = useWorld();

const cells = (person: string) => cellsOf(world().admin, person);

async function orgWith(
  types: Record<string, PropertyType>,
): Promise<{ org: TestOrg; ids: Record<string, string> }> {
  const org = await world().newOrg();
  const ids: Record<string, string> = {};
  for (const [key, type] of Object.entries(types)) ids[key] = await newProperty(org, key, type);
  return { org, ids };
}

const tierSeatsVip = { tier: 'string', seats: 'number', vip: 'boolean' } as const;

test('a value stands in its page once it is set, set again, cleared and set once more', async () => {
  const { org } = await orgWith(tierSeatsVip);
  const person = await org.person({ email: 'ada@example.com' });
  const other = await org.person({ email: 'grace@example.com' });
  expect(await cells(person)).toEqual({});
  await setAll(org, other, { tier: 'other', seats: -1, vip: true });
  for (const [tier, seats, vip] of [
    ['pro', 12, true],
    ['free', 0, false],
    ['', -0.5, true],
    [' ½ 🙂 ', 1e21, false],
  ]) {
    await setAll(org, person, { tier, seats, vip });
    expect(await cells(person)).toEqual({ '0.t0': tier, '0.n0': seats, '0.b0': vip });
    await org.tool('set_person_property', { person_id: person, key: 'seats', value: null });
    expect(await cells(person)).toEqual({ '0.t0': tier, '0.b0': vip });
    await setAll(org, person, { tier: null, vip: null });
    expect(await cells(person)).toEqual({});
  }
  expect(await cells(other)).toEqual({ '0.t0': 'other', '0.n0': -1, '0.b0': true });
  expect(await differences(world().admin)).toEqual([]);
});

test('a value that is removed leaves its page, and the others stay', async () => {
  const { org } = await orgWith({ ...tierSeatsVip, city: 'string' });
  const [person, other] = [
    await org.person({ phone: '+15550100' }),
    await org.person({ phone: '+15550101' }),
  ];
  const values = { tier: 'pro', seats: 3, vip: false, city: 'Oslo' };
  const whole = { '0.t0': 'pro', '0.t1': 'Oslo', '0.n0': 3, '0.b0': false };
  for (const one of [person, other]) await setAll(org, one, values);
  const left: Record<string, unknown> = { ...whole };
  for (const [key, place] of [
    ['tier', '0.t0'],
    ['vip', '0.b0'],
    ['seats', '0.n0'],
    ['city', '0.t1'],
  ] as const) {
    const { status } = await org.rest(`DELETE /v1/people/${person}/properties/${key}`);
    expect(status).toBe(200);
    delete left[place];
    expect(await cells(person)).toEqual(left);
  }
  await setAll(org, person, { city: 'Bergen' });
  expect(await cells(person)).toEqual({ '0.t1': 'Bergen' });
  expect(await cells(other)).toEqual(whole);
  expect(await differences(world().admin)).toEqual([]);
});

test('a survivor has in its pages what it had, and what it lacked or had cleared', async () => {
  const { org } = await orgWith({ ...tierSeatsVip, city: 'string', note: 'string', score: 'number' });
  const survivor = await org.person({ external_user_id: 'ada' });
  const second = await org.person({ email: 'ada@example.com' });
  const third = await org.person({ phone: '+15550100' });
  await setAll(org, survivor, { tier: 'gold', seats: null, vip: false });
  await setAll(org, second, { tier: 'silver', seats: 5, vip: true, city: 'Oslo', note: null });
  await setAll(org, third, { seats: 9, city: 'Bergen', score: 0.5, note: 'third' });
  const ids = { external_user_id: 'ada', email: 'ada@example.com', phone: '+15550100' };
  expect(await org.person(ids)).toBe(survivor);
  expect(await cells(survivor)).toEqual({
    '0.t0': 'gold',
    '0.t1': 'Oslo',
    '0.t2': 'third',
    '0.n0': 5,
    '0.n1': 0.5,
    '0.b0': false,
  });
  for (const gone of [second, third]) expect(await cells(gone)).toEqual({});
  expect(await differences(world().admin)).toEqual([]);
});

test('a survivor without any value takes over all of them, on every page', async () => {
  const keys = Array.from({ length: 20 }, (_, index) => `key_${index}`);
  const { org } = await orgWith(Object.fromEntries(keys.map((key) => [key, 'string'])));
  const survivor = await org.person({ external_user_id: 'ada' });
  const loser = await org.person({ email: 'ada@example.com' });
  await setAll(org, loser, Object.fromEntries(keys.map((key) => [key, key])));
  const held = await cells(loser);
  await org.person({ external_user_id: 'ada', email: 'ada@example.com' });
  expect(await cells(survivor)).toEqual(held);
  expect(await cells(loser)).toEqual({});
  expect(await differences(world().admin)).toEqual([]);
});

test('a person who is deleted takes the pages along, and so does an organization', async () => {
  const { org } = await orgWith(tierSeatsVip);
  const [gone, stays] = [await org.person({ phone: '+15550100' }), await org.person({ phone: '+15550101' })];
  for (const one of [gone, stays]) await setAll(org, one, { tier: 'pro', seats: 1, vip: true });
  expect((await org.rest(`DELETE /v1/people/${gone}`)).status).toBe(200);
  const { admin } = world();
  const pages = async () =>
    (await admin.query('select person_id from property_pages where org_id = $1', [org.id])).rows;
  expect(await pages()).toEqual([{ person_id: stays }]);
  expect(await cells(stays)).toEqual({ '0.t0': 'pro', '0.n0': 1, '0.b0': true });
  await admin.query('delete from organizations where id = $1', [org.id]);
  expect(await pages()).toEqual([]);
  expect(await differences(world().admin)).toEqual([]);
});

test('the next property of the type gets the place of one that was deleted, where nobody has a value', async () => {
  const { org, ids } = await orgWith({ tier: 'string', city: 'string', seats: 'number' });
  const people = [await org.person({ phone: '+15550100' }), await org.person({ phone: '+15550101' })];
  for (const person of people) await setAll(org, person, { tier: 'pro', city: 'Oslo', seats: 4 });
  const answer = await org.rest(`DELETE /v1/property-configs/${ids['tier']}`);
  expect(answer.body).toEqual({ deleted: true, deleted_values: 2 });
  for (const person of people) expect(await cells(person)).toEqual({ '0.t1': 'Oslo', '0.n0': 4 });

  await newProperty(org, 'score', 'number');
  await newProperty(org, 'vip', 'boolean');
  await newProperty(org, 'plan', 'string');
  await newProperty(org, 'town', 'string');
  for (const person of people) expect(await cells(person)).toEqual({ '0.t1': 'Oslo', '0.n0': 4 });
  await setAll(org, people[0]!, { plan: 'gold', town: 'Bergen', score: 7, vip: false });
  expect(await cells(people[0]!)).toEqual({
    '0.t0': 'gold',
    '0.t1': 'Oslo',
    '0.t2': 'Bergen',
    '0.n0': 4,
    '0.n1': 7,
    '0.b0': false,
  });
  expect(await cells(people[1]!)).toEqual({ '0.t1': 'Oslo', '0.n0': 4 });
  expect(await differences(world().admin)).toEqual([]);
});

test('one organization writes and deletes without touching what stands in the same place of another', async () => {
  const [one, two] = [await orgWith(tierSeatsVip), await orgWith(tierSeatsVip)];
  const people = [];
  for (const { org } of [one, two]) {
    const person = await org.person({ email: 'ada@example.com' });
    await setAll(org, person, { tier: 'pro', seats: 2, vip: true });
    people.push(person);
  }
  await one.org.rest(`DELETE /v1/property-configs/${one.ids['tier']}`);
  await setAll(one.org, people[0]!, { seats: null });
  expect(await cells(people[0]!)).toEqual({ '0.b0': true });
  expect(await cells(people[1]!)).toEqual({ '0.t0': 'pro', '0.n0': 2, '0.b0': true });
  expect(await differences(world().admin)).toEqual([]);
});
