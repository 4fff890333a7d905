// Values that identify_person brings are written later, by the engine.
import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { cellsOf, differences, newProperty, setAll } from './page-mirror.ts';

const world = useWorld({ engine: true });
const soon = { timeout: 60_000, interval: 50 };
const cells = (person: string) => cellsOf(world().admin, person);

async function newOrg() {
  const org = await world().newOrg();
  await newProperty(org, 'city', 'string');
  await newProperty(org, 'plan', 'string');
  await newProperty(org, 'seats', 'number');
  await newProperty(org, 'trial', 'boolean');
  return org;
}

test('the values of a call stand in the pages, those of the next beside them or in their stead', async () => {
  const org = await newOrg();
  const email = 'ann@example.com';
  const person = await org.person({ email, custom_properties: { city: 'Oslo', seats: '42', trial: 0 } });
  await expect.poll(() => cells(person), soon).toEqual({ '0.t0': 'Oslo', '0.n0': 42, '0.b0': false });
  await org.tool('identify_person', { email, custom_properties: { city: 'x'.repeat(600), plan: 'pro' } });
  await expect
    .poll(() => cells(person), soon)
    .toEqual({
      '0.t0': expect.stringMatching(/^x{100}[0-9a-f]{32}-+$/),
      '0.t1': 'pro',
      '0.n0': 42,
      '0.b0': false,
    });
  expect(await differences(world().admin)).toEqual([]);
});

test('many calls at once about a few people, some of whom are merged meanwhile', async () => {
  const org = await newOrg();
  const calls = Array.from({ length: 60 }, (_, n) => {
    const custom_properties = {
      city: `City ${n}`,
      seats: n,
      ...(n % 5 > 0 && { trial: n % 2 === 0, plan: n }),
    };
    const who = { external_user_id: `user ${n % 6}`, ...(n % 10 === 0 && { email: `${n % 4}@example.com` }) };
    return org.rest('POST /v1/people/identify', { ...who, custom_properties });
  });
  const answers = await Promise.all(calls);
  expect(answers.map(({ status }) => status)).toEqual(calls.map(() => 200));
  const { admin } = world();
  const due = async () =>
    (await admin.query('select id from property_changes where org_id = $1', [org.id])).rowCount;
  await expect.poll(due, soon).toBe(0);
  const { rows } = await admin.query<{ id: string }>('select id from people where org_id = $1', [org.id]);
  expect(rows.length).toBeOneOf([1, 2, 3, 4, 5]);
  for (const { id } of rows) {
    expect(Object.keys(await cells(id)).toSorted()).toEqual(['0.b0', '0.n0', '0.t0', '0.t1']);
  }
  expect(await differences(world().admin)).toEqual([]);
});

test('values that wait for the engine while their property is deleted stand nowhere', async () => {
  const org = await newOrg();
  const { body } = await org.tool('list_property_configs');
  const city = body.property_configs.find(({ key }: { key: string }) => key === 'city');
  const people = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      org.person({ phone: `+1555010${n}`, custom_properties: { city: 'Oslo', plan: 'pro' } }),
    ),
  );
  expect((await org.rest(`DELETE /v1/property-configs/${city.id}`)).status).toBe(200);
  await newProperty(org, 'town', 'string');
  for (const person of people) {
    await expect.poll(() => cells(person), soon).toEqual({ '0.t1': 'pro' });
  }
  await setAll(org, people[0]!, { town: 'Bergen' });
  expect(await cells(people[0]!)).toEqual({ '0.t0': 'Bergen', '0.t1': 'pro' });
  expect(await differences(world().admin)).toEqual([]);
});
