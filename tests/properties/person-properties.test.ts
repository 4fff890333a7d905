import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { contentsOf } from '../support/org-contents.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const contents = (org: TestOrg) => contentsOf(world().admin, org);

/** Somebody in an organization with a config of each type. */
async function newcomer(): Promise<{ org: TestOrg; person_id: string; configs: Record<string, string> }> {
  const org = await world().newOrg();
  const configs: Record<string, string> = {};
  for (const [key, type] of [
    ['tier', 'string'],
    ['seats', 'number'],
    ['vip', 'boolean'],
  ] as const) {
    const { body } = await org.rest('POST /v1/property-configs', { key, name: key, type });
    configs[key] = body.property_config.id;
  }
  return { org, person_id: await org.person({ email: 'ada@example.com' }), configs };
}

const valuesOf = async (org: TestOrg, person_id: string): Promise<Record<string, unknown>> =>
  Object.fromEntries(
    (await org.tool('get_person_properties', { person_id })).body.properties.map(
      ({ key, value }: { key: string; value: unknown }) => [key, value],
    ),
  );

test('PRP-004 a date is kept in a string property as the ISO 8601 text that was sent', async () => {
  const { org, person_id } = await newcomer();
  const value = '2026-02-28T23:59:59+05:30';
  await org.tool('set_person_property', { person_id, key: 'tier', value });
  expect(await valuesOf(org, person_id)).toEqual({ tier: value });
  expect((await org.tool('get_person', { person_id })).body.person.custom_properties).toEqual({
    tier: { value, name: 'tier', type: 'string' },
  });
});

test('PRP-006 PRP-020 a value has its key, value, property_config_id and created_at', async () => {
  const { org, person_id, configs } = await newcomer();
  expect((await org.tool('get_person_properties', { person_id })).body).toEqual({ properties: [] });
  await org.tool('set_person_property', { person_id, key: 'seats', value: 12 });
  await org.tool('set_person_property', { person_id, key: 'vip', value: true });
  const expected = {
    properties: [
      ['seats', 12],
      ['vip', true],
    ].map(([key, value]) => ({
      key,
      value,
      property_config_id: configs[String(key)],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })),
  };
  expect((await org.tool('get_person_properties', { person_id })).body).toEqual(expected);
  expect((await org.rest(`GET /v1/people/${person_id}/properties`)).body).toEqual(expected);
});

test('PRP-007 setting again replaces the value, of which there is one', async () => {
  const { org, person_id } = await newcomer();
  const first = await org.tool('set_person_property', { person_id, key: 'seats', value: 1 });
  const second = await org.rest(`PUT /v1/people/${person_id}/properties/seats`, { value: 2 });
  expect(second.body.property).toEqual({ ...first.body.property, value: 2 });
  await Promise.all(
    [3, 4, 5, 6].map((value) => org.tool('set_person_property', { person_id, key: 'seats', value })),
  );
  const { rows } = await world().admin.query(
    'select number_value from property_values where org_id = $1 and person_id = $2',
    [org.id, person_id],
  );
  expect(rows).toEqual([{ number_value: expect.toBeOneOf([3, 4, 5, 6]) }]);
});

test('PRP-020 get_person_properties needs a person_id', async () => {
  const { org } = await newcomer();
  const refused = await org.tool('get_person_properties');
  expect(refused).toMatchObject({ isError: true, body: { errors: [{ pointer: '/person_id' }] } });
});

test('PRP-021 set_person_property stores the value for that person alone', async () => {
  const { org, person_id, configs } = await newcomer();
  const other = await org.person({ email: 'grace@example.com' });
  const answer = await org.tool('set_person_property', { person_id, key: 'tier', value: 'pro' });
  expect(answer.body).toEqual({
    property: {
      key: 'tier',
      value: 'pro',
      property_config_id: configs['tier'],
      created_at: expect.any(String),
    },
  });
  expect(await valuesOf(org, person_id)).toEqual({ tier: 'pro' });
  expect(await valuesOf(org, other)).toEqual({});
});

test('PRP-021 set_person_property needs person_id, key and value', async () => {
  const { org, person_id } = await newcomer();
  const before = await contents(org);
  const whole = { person_id, key: 'tier', value: 'pro' };
  for (const missing of ['person_id', 'key', 'value'] as const) {
    const { [missing]: _, ...rest } = whole;
    const refused = await org.tool('set_person_property', rest);
    expect(refused).toMatchObject({ isError: true, body: { errors: [{ pointer: `/${missing}` }] } });
  }
  expect(await contents(org)).toEqual(before);
});

test('PRP-022 a key without a config is not found, and nothing is written', async () => {
  const { org, person_id } = await newcomer();
  const before = await contents(org);
  const overTool = await org.tool('set_person_property', { person_id, key: 'rank', value: 'pro' });
  expect(overTool).toMatchObject({ isError: true, body: { code: 'not_found', status: 404 } });
  const overRest = await org.rest(`PUT /v1/people/${person_id}/properties/rank`, { value: 'pro' });
  expect(overRest).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await contents(org)).toEqual(before);
});

test.each([
  ['PRP-023', 'seats', [0, -1, 12, 0.5, 1e21], ['12', '', 'twelve', true, [12], { value: 12 }]],
  ['PRP-024', 'vip', [true, false], ['true', 'false', '', 0, 1, [true]]],
  ['PRP-025', 'tier', ['pro', '', '12', 'true', ' ½ 🙂 '], [12, 0, true, false, ['pro']]],
] as const)('%s the property %s takes exactly the values of its type', async (_, key, taken, refused) => {
  const { org, person_id } = await newcomer();
  for (const value of taken) {
    const answer = await org.tool('set_person_property', { person_id, key, value });
    expect(answer.body.property).toMatchObject({ key, value });
    expect(await valuesOf(org, person_id)).toEqual({ [key]: value });
  }
  const before = await contents(org);
  for (const value of refused) {
    const overTool = await org.tool('set_person_property', { person_id, key, value });
    const overRest = await org.rest(`PUT /v1/people/${person_id}/properties/${key}`, { value });
    for (const { body } of [overTool, overRest]) {
      expect(body).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ pointer: '/value' }] });
    }
  }
  expect(await contents(org)).toEqual(before);
});

test('PRP-026 null clears the value and keeps the row, which is listed without a value', async () => {
  const { org, person_id, configs } = await newcomer();
  for (const [key, value] of Object.entries({ tier: 'pro', seats: 3, vip: false })) {
    const { body: set } = await org.tool('set_person_property', { person_id, key, value });
    const { body: cleared } = await org.tool('set_person_property', { person_id, key, value: null });
    expect(cleared.property).toEqual({ ...set.property, value: null });
  }
  const { body } = await org.tool('get_person_properties', { person_id });
  expect(body.properties).toHaveLength(3);
  for (const property of body.properties) {
    expect(property).toMatchObject({ value: null, property_config_id: configs[property.key] });
  }
});

test.each(['tool', 'rest'])(
  'PRP-027 PRP-028 over %s a value is removed, its config kept, and a second time it is not found',
  async (face) => {
    const { org, person_id, configs } = await newcomer();
    const other = await org.person({ email: 'grace@example.com' });
    for (const one of [person_id, other]) {
      await org.tool('set_person_property', { person_id: one, key: 'tier', value: 'pro' });
      await org.tool('set_person_property', { person_id: one, key: 'seats', value: 5 });
    }
    const remove = () =>
      face === 'tool'
        ? org.tool('delete_person_property', { person_id, key: 'tier' })
        : org.rest(`DELETE /v1/people/${person_id}/properties/tier`);
    expect((await remove()).body).toEqual({ deleted: true, person_id, key: 'tier' });
    expect(await valuesOf(org, person_id)).toEqual({ seats: 5 });
    expect(await valuesOf(org, other)).toEqual({ tier: 'pro', seats: 5 });
    const { property_configs } = (await org.tool('list_property_configs')).body;
    expect(property_configs.map(({ id }: { id: string }) => id)).toEqual(Object.values(configs));
    const before = await contents(org);
    expect((await remove()).body).toMatchObject({ status: 404, code: 'not_found' });
    expect(await contents(org)).toEqual(before);
  },
);

test('PRP-028 a key without a config, or a person who is not there, is not found either', async () => {
  const { org, person_id } = await newcomer();
  for (const input of [
    { person_id, key: 'vip' },
    { person_id, key: 'rank' },
    { person_id: randomUUID(), key: 'vip' },
  ]) {
    const refused = await org.tool('delete_person_property', input);
    expect(refused).toMatchObject({ isError: true, body: { code: 'not_found' } });
  }
});
