import { expect, test } from 'vitest';
import { namesOf } from '../../src/domain/webinars/registrations/registrant.ts';
import { registerForWebinar } from '../../src/domain/webinars/registrations/register-for-webinar.ts';
import { waysTo } from '../support/call-operation.ts';
import type { TestOrg } from '../support/test-org.ts';
import { countOf, createWebinar, registerFor, timelineOf } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const ways = waysTo(registerForWebinar);
const email = 'ann@example.com';

/** Registers for a webinar of its own, so that none of these is a repeat. */
const register = async (org: TestOrg, user: Record<string, unknown>) =>
  registerFor(org, (await createWebinar(org)).id, { email, ...user });

const namesIn = async (org: TestOrg, person: string) => {
  const { body } = await org.rest(`GET /v1/people/${person}`);
  return [body.person.first_name, body.person.last_name];
};
const propertiesOf = async (org: TestOrg, person: string) => {
  const { body } = await org.rest(`GET /v1/people/${person}`);
  const values = Object.entries(body.person.custom_properties as Record<string, { value: unknown }>);
  return Object.fromEntries(values.map(([key, { value }]) => [key, value]));
};

test.each([
  ['REG-020 both names sent', { first_name: 'Ann', last_name: 'Example' }, ['Ann', 'Example']],
  ['REG-021 a full name alone', { full_name: 'Ann Example' }, ['Ann', 'Example']],
  ['REG-021 a full name of three words', { full_name: ' Ann  van Example ' }, ['Ann', 'van Example']],
  ['REG-021 a full name of one word', { full_name: 'Ann' }, ['Ann', null]],
  [
    'REG-022 a full name supplies the last',
    { first_name: 'Grace', full_name: 'Ann Example' },
    ['Grace', 'Example'],
  ],
  [
    'REG-022 a full name supplies the first',
    { last_name: 'Hopper', full_name: 'Ann Example' },
    ['Ann', 'Hopper'],
  ],
  [
    'REG-022 a blank name counts as missing',
    { first_name: ' ', last_name: '', full_name: 'Ann Example' },
    ['Ann', 'Example'],
  ],
  [
    'REG-022 a first name of two words is not split',
    { first_name: 'Mary Ann', full_name: 'mary ann Example' },
    ['Mary Ann', 'Example'],
  ],
  [
    'REG-022 a last name of two words is not split',
    { last_name: 'van Example', full_name: 'Mary Ann van Example' },
    ['Mary Ann', 'van Example'],
  ],
  [
    'REG-023 a full name is not used beside both',
    { first_name: 'Grace', last_name: 'Hopper', full_name: 'Ann Example' },
    ['Grace', 'Hopper'],
  ],
  ['no name at all', {}, [null, null]],
])('%s: %j', async (_, names, expected) => {
  for (const way of ways) {
    const org = await world().newOrg();
    const { id: webinar_id } = await createWebinar(org);
    const { body } = await way.call(org, { webinar_id, user: { email, ...names } });
    const { org_user_id } = body as { org_user_id: string };
    expect({ way: way.name, names: await namesIn(org, org_user_id) }).toEqual({
      way: way.name,
      names: expected,
    });
  }
});

test('names of any script are split at their spaces', () => {
  expect(namesOf({ full_name: '山田 太郎' })).toEqual({ first_name: '山田', last_name: '太郎' });
  expect(namesOf({ full_name: 'Zoë\u00a0Ångström' })).toEqual({ first_name: 'Zoë', last_name: 'Ångström' });
});

test('REG-038 names are merged into the profile of somebody who is there', async () => {
  const org = await world().newOrg();
  const person = await org.person({ email });
  await register(org, { first_name: 'Ann' });
  expect(await namesIn(org, person)).toEqual(['Ann', null]);
  await register(org, { full_name: 'Ann Example' });
  expect(await namesIn(org, person)).toEqual(['Ann', 'Example']);
  await register(org, { first_name: '', last_name: '  ', full_name: '' });
  expect(await namesIn(org, person)).toEqual(['Ann', 'Example']);
});

test('a name that differs is replaced over REST, and kept over tools', async () => {
  const org = await world().newOrg();
  const { org_user_id } = await register(org, { first_name: 'Ann' });
  await register(org, { first_name: 'Anna' });
  expect(await namesIn(org, org_user_id)).toEqual(['Anna', null]);
  const { id: webinar_id } = await createWebinar(org);
  const user = { email, first_name: 'Somebody', last_name: 'Else' };
  expect((await org.tool('register_for_webinar', { webinar_id, user })).isError).toBe(false);
  expect(await namesIn(org, org_user_id)).toEqual(['Anna', 'Else']);
});

test('REG-024 REG-026 texts, numbers, booleans and dates as texts are taken, and there when register answers', async () => {
  const properties = { plan: 'pro', seats: 12.5, trial: false, since: '2026-01-31T00:00:00Z' };
  for (const way of ways) {
    const org = await world().newOrg();
    const { id: webinar_id } = await createWebinar(org);
    const { body } = await way.call(org, { webinar_id, user: { email, properties } });
    const { org_user_id } = body as { org_user_id: string };
    expect(await propertiesOf(org, org_user_id)).toEqual(properties);
    const configs = await org.rest('GET /v1/property-configs');
    const types = configs.body.property_configs.map(({ key, type }: Record<string, string>) => [key, type]);
    expect(Object.fromEntries(types)).toEqual({
      plan: 'string',
      seats: 'number',
      trial: 'boolean',
      since: 'string',
    });
  }
});

test('REG-039 properties are merged: those sent are set, the others keep their values', async () => {
  const org = await world().newOrg();
  const { org_user_id } = await register(org, { properties: { plan: 'free', seats: 1 } });
  await register(org, { properties: { plan: 'pro', trial: true } });
  await register(org, {});
  expect(await propertiesOf(org, org_user_id)).toEqual({ plan: 'pro', seats: 1, trial: true });
});

test('a key finds its config as it is, else in snake_case, and values are converted to its type', async () => {
  const org = await world().newOrg();
  for (const [key, type] of [
    ['planTier', 'string'],
    ['seat_count', 'number'],
    ['trial', 'boolean'],
  ]) {
    await org.rest('POST /v1/property-configs', { key, name: key, type });
  }
  const { org_user_id } = await register(org, {
    properties: { planTier: 7, 'Seat Count': '12', trial: 'true', companySize: 3 },
  });
  expect(await propertiesOf(org, org_user_id)).toEqual({
    planTier: '7',
    seat_count: 12,
    trial: true,
    company_size: 3,
  });
  const { body } = await org.rest('GET /v1/property-configs');
  expect(body.property_configs).toContainEqual(
    expect.objectContaining({ key: 'company_size', name: 'companySize', type: 'number' }),
  );
});

test('what is of no use is left out and told in the answer and on the timeline; the registration stands', async () => {
  const org = await world().newOrg();
  await org.rest('POST /v1/property-configs', { key: 'seats', name: 'Seats', type: 'number' });
  const reserved = 'webinar_attended_018f0000-0000-7000-8000-000000000000';
  const { org_user_id, registration_id } = await register(org, {
    properties: { seats: 'many', '***': 'x', [`k${'x'.repeat(120)}`]: 1, [reserved]: true, plan: 'pro' },
  });
  expect(await propertiesOf(org, org_user_id)).toEqual({ plan: 'pro' });
  const [told, ...more] = await timelineOf(org, org_user_id, '$svc_properties_left_out');
  expect(more).toEqual([]);
  expect(told.custom_properties).toMatchObject({
    registration_id,
    properties: [
      { key: reserved, reason: 'reserved' },
      { key: 'seats', reason: 'not_convertible' },
      { key: '***', reason: 'no_key' },
      { key: `k${'x'.repeat(120)}`, reason: 'no_key' },
    ],
  });
});

test('no more configs are made than an organization may have', async () => {
  const org = await world().newOrg();
  await world().admin.query(
    `insert into property_configs (org_id, id, key, name, type, created_at)
     select $1, gen_random_uuid(), 'key_' || n, 'A key', 'string', now() from generate_series(1, 298) n`,
    [org.id],
  );
  const sent = Object.fromEntries(['a', 'b', 'c', 'd'].map((key) => [key, 'x']));
  const { org_user_id } = await register(org, { properties: { ...sent, key_1: 'there' } });
  expect(await countOf(world(), org, 'property_configs')).toBe(300);
  expect(await propertiesOf(org, org_user_id)).toEqual({ a: 'x', b: 'x', key_1: 'there' });
  const [told] = await timelineOf(org, org_user_id, '$svc_properties_left_out');
  expect(told.custom_properties.properties).toEqual([
    { key: 'c', reason: 'too_many_configs' },
    { key: 'd', reason: 'too_many_configs' },
  ]);
});

test('many forms that bring the same new property at once make one config', async () => {
  const org = await world().newOrg();
  const { id } = await createWebinar(org);
  await Promise.all(
    Array.from({ length: 16 }, (_, one) =>
      registerFor(org, id, {
        email: `p${one}@example.com`,
        properties: { plan: 'pro', [`only_${one % 4}`]: one },
      }),
    ),
  );
  expect(await countOf(world(), org, 'property_configs')).toBe(5);
  expect(await countOf(world(), org, 'property_values')).toBe(32);
});
