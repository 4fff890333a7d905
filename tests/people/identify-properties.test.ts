import { expect, test } from 'vitest';
import { contentsOf } from '../support/org-contents.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ engine: true });

const email = 'ann@example.com';
const soon = { timeout: 60_000, interval: 50 };
test('IDN-010 custom_properties is an object of key to string, number or boolean', async () => {
  const org = await orgWithConfigs({ city: 'string', seats: 'number', trial: 'boolean' });
  const sent = { city: 'Oslo', seats: 4.5, trial: false };
  const rest = await org.rest('POST /v1/people/identify', { email, custom_properties: sent });
  expect(rest.status).toBe(200);
  const tool = await org.tool('identify_person', { phone: '+15550100', custom_properties: sent });
  await expect.poll(() => valuesOf(org, rest.body.person_id), soon).toEqual(sent);
  await expect.poll(() => valuesOf(org, tool.body.person_id), soon).toEqual(sent);

  const other = await orgWithConfigs({ city: 'string' });
  const before = await contentsOf(world().admin, other);
  for (const refused of [['city'], 'city', 7, true, null]) {
    const call = { email, custom_properties: refused };
    expect((await other.rest('POST /v1/people/identify', call)).status).toBe(400);
    expect((await other.tool('identify_person', call)).isError).toBe(true);
  }
  expect(await contentsOf(world().admin, other)).toEqual(before);
});

test('IDN-028 the answer comes first, the values become readable shortly after', async () => {
  const org = await orgWithConfigs({ city: 'string' });
  const { person_id } = await whileRelayWaits(async () => {
    const { status, body } = await org.rest('POST /v1/people/identify', {
      email,
      custom_properties: { city: 'Oslo' },
    });
    expect(status).toBe(200);
    expect(body.created).toBe(true);
    expect(await valuesOf(org, body.person_id)).toEqual({});
    return body;
  });
  await expect.poll(() => valuesOf(org, person_id), soon).toEqual({ city: 'Oslo' });
  const { body } = await org.tool('get_person', { person_id });
  expect(body.person.custom_properties).toEqual({ city: { value: 'Oslo', name: 'city', type: 'string' } });
});

test('IDN-029 a key without a config refuses the whole call by name, and nothing is written', async () => {
  const org = await orgWithConfigs({ city: 'string' });
  const known = await org.person({ phone: '+15550100' });
  const before = await contentsOf(world().admin, org);
  const custom_properties = { city: 'Oslo', shoe_size: 42 };
  for (const person of [{ email }, { email, phone: '+15550100', first_name: 'Ann' }]) {
    const rest = await org.rest('POST /v1/people/identify', { ...person, custom_properties });
    expect(rest).toMatchObject({
      status: 400,
      body: {
        code: 'property_not_configured',
        errors: [{ pointer: '/custom_properties/shoe_size', code: 'property_not_configured' }],
      },
    });
    expect(rest.body.detail).toContain('shoe_size');
    expect(rest.body.detail).not.toContain('city');
    const tool = await org.tool('identify_person', { ...person, custom_properties });
    expect(tool).toMatchObject({ isError: true, body: { code: 'property_not_configured' } });
    expect(tool.text).toContain('shoe_size');
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
  expect(await valuesOf(org, known)).toEqual({});
});

test('IDN-030 keys are normalized to snake_case, unless a config has the key exactly as sent', async () => {
  const org = await orgWithConfigs({ plan_tier: 'string', home_town: 'string', shoeSize: 'number' });
  const { body } = await org.tool('identify_person', {
    email,
    custom_properties: { planTier: 'gold', 'Home Town': 'Oslo', shoeSize: 42 },
  });
  await expect
    .poll(() => valuesOf(org, body.person_id), soon)
    .toEqual({ plan_tier: 'gold', home_town: 'Oslo', shoeSize: 42 });
});

test('IDN-031 a value is converted to the type of its config', async () => {
  const org = await orgWithConfigs({
    seats: 'number',
    code: 'string',
    flag: 'string',
    trial: 'boolean',
    paid: 'boolean',
  });
  const custom_properties = { seats: '42', code: 7, flag: true, trial: 'true', paid: 0 };
  const { body } = await org.rest('POST /v1/people/identify', { email, custom_properties });
  await expect
    .poll(() => valuesOf(org, body.person_id), soon)
    .toEqual({ seats: 42, code: '7', flag: 'true', trial: true, paid: false });
});

test('a value that cannot be converted is left out, and one that stands keeps standing', async () => {
  const org = await orgWithConfigs({ seats: 'number', trial: 'boolean', city: 'string' });
  const id = await org.person({ email, custom_properties: { seats: 5 } });
  await expect.poll(() => valuesOf(org, id), soon).toEqual({ seats: 5 });
  await org.person({ email, custom_properties: { seats: 'many', trial: 'perhaps', city: 'Oslo' } });
  await expect.poll(() => valuesOf(org, id), soon).toEqual({ seats: 5, city: 'Oslo' });
});

test('IDN-032 a value that is no string, number or boolean is dropped, the rest applied', async () => {
  const org = await orgWithConfigs({ a: 'string', b: 'string', c: 'number', city: 'string' });
  const custom_properties = { a: ['x'], b: { x: 1 }, c: null, city: 'Oslo' };
  const rest = await org.rest('POST /v1/people/identify', { email, custom_properties });
  expect(rest.status).toBe(200);
  const tool = await org.tool('identify_person', { phone: '+15550100', custom_properties });
  expect(tool.isError).toBe(false);
  await expect.poll(() => valuesOf(org, rest.body.person_id), soon).toEqual({ city: 'Oslo' });
  await expect.poll(() => valuesOf(org, tool.body.person_id), soon).toEqual({ city: 'Oslo' });
});

test('IDN-033 a reserved key is dropped, the rest applied', async () => {
  const org = await orgWithConfigs({ city: 'string' });
  const reserved = 'webinar_attended_0190c0de-0000-7000-8000-000000000001';
  const custom_properties = { [reserved]: true, [reserved.replaceAll('-', '_')]: 'yes', city: 'Oslo' };
  const rest = await org.rest('POST /v1/people/identify', { email, custom_properties });
  expect(rest.status).toBe(200);
  const tool = await org.tool('identify_person', { phone: '+15550100', custom_properties });
  expect(tool.isError).toBe(false);
  await expect.poll(() => valuesOf(org, rest.body.person_id), soon).toEqual({ city: 'Oslo' });
  await expect.poll(() => valuesOf(org, tool.body.person_id), soon).toEqual({ city: 'Oslo' });
});

test('property changes asked for before a merge land on the survivor', async () => {
  const org = await orgWithConfigs({ city: 'string', plan: 'string' });
  const survivor = await org.person({ email });
  await whileRelayWaits(async () => {
    await org.person({ phone: '+15550100', custom_properties: { city: 'Oslo', plan: 'silver' } });
    await org.tool('set_person_property', { person_id: survivor, key: 'plan', value: 'gold' });
    expect(await org.person({ email, phone: '+15550100' })).toBe(survivor);
    expect(await valuesOf(org, survivor)).toEqual({ plan: 'gold' });
  });
  // Of two values for one property the one asked for later stands, though it was there first.
  await expect.poll(() => valuesOf(org, survivor), soon).toEqual({ city: 'Oslo', plan: 'gold' });
});

async function orgWithConfigs(types: Record<string, 'string' | 'number' | 'boolean'>): Promise<TestOrg> {
  const org = await world().newOrg();
  for (const [key, type] of Object.entries(types)) {
    expect((await org.rest('POST /v1/property-configs', { key, name: key, type })).status).toBe(201);
  }
  return org;
}

/** Keeps the relay from its outbox meanwhile, so that what was asked for stays asked for. */
async function whileRelayWaits<T>(work: () => Promise<T>): Promise<T> {
  const { admin } = world();
  await admin.query('revoke select on outbox from rostrum_relay');
  try {
    return await work();
  } finally {
    await admin.query('grant select on outbox to rostrum_relay');
  }
}

async function valuesOf(org: TestOrg, person_id: string): Promise<Record<string, unknown>> {
  const { body } = await org.tool('get_person_properties', { person_id });
  return Object.fromEntries(
    body.properties.map((one: { key: string; value: unknown }) => [one.key, one.value]),
  );
}

test('IDN-032 IDN-033 the answer tells what was left out, and why', async () => {
  const org = await orgWithConfigs({ seats: 'number', trial: 'boolean', city: 'string' });
  const reserved = 'webinar_attended_0190c0de-0000-7000-8000-000000000001';
  const custom_properties = { seats: 'many', trial: null, city: 'Oslo', [reserved]: true };
  const left_out = [
    { key: 'seats', reason: 'not_convertible' },
    { key: 'trial', reason: 'not_convertible' },
    { key: reserved, reason: 'reserved' },
  ];
  const rest = await org.rest('POST /v1/people/identify', { email, custom_properties });
  expect(rest.body).toMatchObject({ created: true, left_out });
  const tool = await org.tool('identify_person', { email, custom_properties });
  expect(tool.body).toMatchObject({ created: false, left_out });
});
