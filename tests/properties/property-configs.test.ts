import { expect, test } from 'vitest';
import { contentsOf } from '../support/org-contents.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const contents = (org: TestOrg) => contentsOf(world().admin, org);
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

test('PRP-001 PRP-009 a config has an id, key, name, description, type and created_at', async () => {
  const org = await world().newOrg();
  const sent = { key: 'Plan_Tier2', name: 'Plan tier', type: 'string', description: 'What they pay for.' };
  const made = await org.rest('POST /v1/property-configs', sent);
  expect(made.status).toBe(201);
  expect(made.body).toEqual({
    property_config: {
      ...sent,
      id: expect.stringMatching(new RegExp(`^${uuid}$`)),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    },
  });
  const listed = await org.tool('list_property_configs');
  expect(listed.body.property_configs).toEqual([made.body.property_config]);
});

test('PRP-009 description may be left out; key, name and type may not', async () => {
  const org = await world().newOrg();
  const whole = { key: 'seats', name: 'Seats', type: 'number' };
  const made = await org.tool('create_property_config', whole);
  expect(made.body.property_config).toMatchObject({ ...whole, description: null });
  const before = await contents(org);
  for (const missing of ['key', 'name', 'type'] as const) {
    const { [missing]: _, ...rest } = { ...whole, key: 'other' };
    const refused = await org.tool('create_property_config', rest);
    expect(refused).toMatchObject({
      isError: true,
      body: { code: 'invalid_request', errors: [{ pointer: `/${missing}` }] },
    });
  }
  expect(await contents(org)).toEqual(before);
});

test('PRP-002 each of string, number and boolean is a type', async () => {
  const org = await world().newOrg();
  for (const type of ['string', 'number', 'boolean']) {
    const made = await org.tool('create_property_config', { key: `a_${type}`, name: 'A key', type });
    expect(made.body.property_config).toMatchObject({ key: `a_${type}`, type });
  }
});

test.each(['date', 'datetime', 'integer', 'String', '', null, 1])(
  'PRP-003 the type %j is rejected with the valid values',
  async (type) => {
    const org = await world().newOrg();
    const before = await contents(org);
    const sent = { key: 'born', name: 'Born', type };
    const [overRest, overTool] = [
      await org.rest('POST /v1/property-configs', sent),
      await org.tool('create_property_config', sent),
    ];
    expect(overRest.status).toBe(400);
    expect(overTool.isError).toBe(true);
    for (const { body } of [overRest, overTool]) {
      expect(body.errors).toEqual([
        {
          pointer: '/type',
          code: 'invalid_value',
          detail: 'Must be one of: string, number, boolean.',
          allowed: ['string', 'number', 'boolean'],
        },
      ]);
    }
    expect(await contents(org)).toEqual(before);
  },
);

test('PRP-005 two organizations may have the same key, each with a config of its own', async () => {
  const [one, two] = [await world().newOrg(), await world().newOrg()];
  await one.tool('create_property_config', { key: 'tier', name: 'Tier', type: 'string' });
  await two.tool('create_property_config', { key: 'tier', name: 'Rank', type: 'number' });
  const configs = [one, two].map(async (org) => (await org.tool('list_property_configs')).body);
  expect(await Promise.all(configs)).toMatchObject([
    { property_configs: [{ key: 'tier', name: 'Tier', type: 'string' }] },
    { property_configs: [{ key: 'tier', name: 'Rank', type: 'number' }] },
  ]);
});

test('PRP-005 of many who create one key at the same time, one does', async () => {
  const org = await world().newOrg();
  const create = (name: string) =>
    org.rest('POST /v1/property-configs', { key: 'tier', name, type: 'string' });
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => create(`Tier ${n}`)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array(7).fill(409)]);
  const { rows } = await world().admin.query('select name from property_configs where org_id = $1', [org.id]);
  expect(rows).toEqual([{ name: answers.find(({ status }) => status === 201)!.body.property_config.name }]);
});

test('PRP-008 list_property_configs takes no arguments and answers all configs', async () => {
  const org = await world().newOrg();
  expect((await org.tool('list_property_configs')).body).toEqual({ property_configs: [] });
  for (const key of ['one', 'two', 'three']) {
    await org.tool('create_property_config', { key, name: key, type: 'string' });
  }
  const { body } = await org.rest('GET /v1/property-configs');
  expect(Object.keys(body)).toEqual(['property_configs']);
  expect(body.property_configs.map(({ key }: { key: string }) => key)).toEqual(['one', 'two', 'three']);
  const refused = await org.tool('list_property_configs', { limit: 1 });
  expect(refused).toMatchObject({ isError: true, body: { errors: [{ pointer: '/limit' }] } });
});

test.each([
  '',
  ' ',
  'plan tier',
  'plan-tier',
  'plan.tier',
  'plan/tier',
  'größe',
  'tier\n',
  ' tier',
  'a'.repeat(101),
])('PRP-010 the key %j is rejected', async (key) => {
  const org = await world().newOrg();
  const before = await contents(org);
  const refused = await org.tool('create_property_config', { key, name: 'A key', type: 'string' });
  expect(refused).toMatchObject({
    isError: true,
    body: { code: 'invalid_request', errors: [{ pointer: '/key' }] },
  });
  expect(await contents(org)).toEqual(before);
});

test.each(['a', '_', '0', 'planTier', 'PLAN_TIER', '7_days', 'a'.repeat(100)])(
  'PRP-010 the key %j is accepted as it is written',
  async (key) => {
    const org = await world().newOrg();
    const made = await org.tool('create_property_config', { key, name: 'A key', type: 'string' });
    expect(made.body.property_config.key).toBe(key);
  },
);

test('PRP-011 a key that the organization has is rejected, and the config stays as it was', async () => {
  const org = await world().newOrg();
  await org.tool('create_property_config', {
    key: 'tier',
    name: 'Tier',
    type: 'string',
    description: 'Old.',
  });
  const before = await contents(org);
  const again = { key: 'tier', name: 'Other', type: 'number', description: 'New.' };
  const overTool = await org.tool('create_property_config', again);
  expect(overTool).toMatchObject({ isError: true, body: { code: 'duplicate_key', status: 409 } });
  expect(overTool.text).toContain('tier');
  const overRest = await org.rest('POST /v1/property-configs', again);
  expect(overRest).toMatchObject({ status: 409, body: { code: 'duplicate_key' } });
  expect(await contents(org)).toEqual(before);
});

const session = '0199f3a2-7c1e-7b55-9f0d-3f6f0e8a1b2c';

test.each([
  `webinar_attended_${session.replaceAll('-', '_')}`,
  `webinar_no_show_${session.replaceAll('-', '_')}`,
  `webinar_registered_${session.replaceAll('-', '')}`,
  `Webinar_Attended_${session.replaceAll('-', '_').toUpperCase()}`,
  `webinar_attended_${session}`,
])('PRP-012 the key %s is rejected as reserved', async (key) => {
  const org = await world().newOrg();
  const before = await contents(org);
  const refused = await org.tool('create_property_config', { key, name: 'A key', type: 'boolean' });
  expect(refused.isError).toBe(true);
  expect(refused.text).toContain('reserved');
  expect(await contents(org)).toEqual(before);
});

test.each([
  'webinar_attended',
  'webinar_attended_twice',
  `my_webinar_attended_${session.replaceAll('-', '_')}`,
])('PRP-012 the key %s is not reserved', async (key) => {
  const org = await world().newOrg();
  const made = await org.tool('create_property_config', { key, name: 'A key', type: 'boolean' });
  expect(made.body.property_config.key).toBe(key);
});
