import { expect, test } from 'vitest';
import { applyChanges } from '../../src/domain/properties/apply-changes.ts';
import { contentsOf } from '../support/org-contents.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const contents = (org: TestOrg) => contentsOf(world().admin, org);

async function configIn(org: TestOrg, fields: Record<string, string> = {}): Promise<{ id: string }> {
  const sent = { key: 'tier', name: 'Tier', type: 'string', description: 'What they pay for.', ...fields };
  const { body } = await org.rest('POST /v1/property-configs', sent);
  return body.property_config;
}

const configsOf = async (org: TestOrg): Promise<unknown> =>
  (await org.tool('list_property_configs')).body.property_configs;

test('PRP-013 update_property_config changes the name, the description or both, and nothing else', async () => {
  const org = await world().newOrg();
  const config = await configIn(org);
  const other = await configIn(org, { key: 'other' });
  const config_id = config.id;
  const steps = [
    [{ name: 'Plan' }, { ...config, name: 'Plan' }],
    [{ description: 'Paid.' }, { ...config, name: 'Plan', description: 'Paid.' }],
    [
      { name: 'Plan tier', description: null },
      { ...config, name: 'Plan tier', description: null },
    ],
  ] as const;
  for (const [change, expected] of steps) {
    const { body } = await org.tool('update_property_config', { config_id, ...change });
    expect(body).toEqual({ property_config: expected });
    expect(await configsOf(org)).toEqual([expected, other]);
  }
  const { body } = await org.rest(`PATCH /v1/property-configs/${config_id}`, { name: 'Over REST' });
  expect(body.property_config).toEqual({ ...config, name: 'Over REST', description: null });
});

test('PRP-013 update_property_config needs a config_id and something to change', async () => {
  const org = await world().newOrg();
  const { id: config_id } = await configIn(org);
  const before = await contents(org);
  for (const input of [{ name: 'Plan' }, { config_id }, { config_id, name: '' }, { config_id, name: null }]) {
    const refused = await org.tool('update_property_config', input);
    expect(refused).toMatchObject({ isError: true, body: { code: 'invalid_request' } });
  }
  expect(await contents(org)).toEqual(before);
});

test.each([
  ['PRP-014', 'key', 'rank'],
  ['PRP-014', 'key', 'tier'],
  ['PRP-015', 'type', 'number'],
  ['PRP-015', 'type', 'string'],
])('%s update_property_config cannot change %s, to %s', async (_, field, value) => {
  const org = await world().newOrg();
  const { id: config_id } = await configIn(org);
  const before = await contents(org);
  const overTool = await org.tool('update_property_config', { config_id, name: 'Rank', [field]: value });
  const overRest = await org.rest(`PATCH /v1/property-configs/${config_id}`, {
    name: 'Rank',
    [field]: value,
  });
  for (const { body } of [overTool, overRest]) {
    expect(body).toMatchObject({ status: 400, errors: [{ pointer: `/${field}`, code: 'unknown_field' }] });
  }
  expect(await contents(org)).toEqual(before);
});

test.each(['tool', 'rest'])(
  'PRP-016 PRP-018 delete_property_config over %s deletes the config and counts its values',
  async (face) => {
    const org = await world().newOrg();
    const config = await configIn(org);
    const other = await configIn(org, { key: 'other' });
    for (const n of [1, 2, 3]) {
      const person_id = await org.person({ email: `p${n}@example.com` });
      await org.tool('set_person_property', { person_id, key: 'tier', value: 'pro' });
      if (n < 3) await org.tool('set_person_property', { person_id, key: 'other', value: 'kept' });
    }
    const config_id = config.id;
    const { body } =
      face === 'tool'
        ? await org.tool('delete_property_config', { config_id })
        : await org.rest(`DELETE /v1/property-configs/${config_id}`);
    expect(body).toEqual({ deleted: true, deleted_values: 3 });
    expect(await configsOf(org)).toEqual([other]);
    const { rows } = await world().admin.query(
      'select text_value, count(*)::int as n from property_values where org_id = $1 group by 1',
      [org.id],
    );
    expect(rows).toEqual([{ text_value: 'kept', n: 2 }]);
  },
);

test('PRP-016 PRP-018 a config that nobody has a value for is deleted with none, and once only', async () => {
  const org = await world().newOrg();
  const { id: config_id } = await configIn(org);
  expect((await org.tool('delete_property_config', { config_id })).body).toEqual({
    deleted: true,
    deleted_values: 0,
  });
  const again = await org.tool('delete_property_config', { config_id });
  expect(again).toMatchObject({ isError: true, body: { code: 'not_found' } });
});

test('PRP-017 a key made anew brings no value back', async () => {
  const org = await world().newOrg();
  const { id: config_id } = await configIn(org);
  const people = [await org.person({ email: 'a@example.com' }), await org.person({ email: 'b@example.com' })];
  for (const person_id of people) {
    await org.tool('set_person_property', { person_id, key: 'tier', value: 'pro' });
  }
  await org.tool('delete_property_config', { config_id });
  await configIn(org);
  for (const person_id of people) {
    expect((await org.tool('get_person_properties', { person_id })).body).toEqual({ properties: [] });
    expect((await org.tool('get_person', { person_id })).body.person.custom_properties).toEqual({});
  }
});

test('PRP-017 nor a value that identify_person accepted before and that is applied after', async () => {
  const org = await world().newOrg();
  const { id: config_id } = await configIn(org);
  const person_id = await org.person({ email: 'a@example.com', custom_properties: { tier: 'pro' } });
  await org.tool('delete_property_config', { config_id });
  await configIn(org);
  const { rows } = await world().admin.query<{ id: string }>(
    'select id from property_changes where org_id = $1',
    [org.id],
  );
  expect(rows).toHaveLength(1);
  expect(await applyChanges(world().database, org.id, rows[0]!.id)).toBe(true);
  expect((await org.tool('get_person_properties', { person_id })).body).toEqual({ properties: [] });
});
