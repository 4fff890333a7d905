import { expect, test } from 'vitest';
import { operations } from '../../src/catalogue/operations.ts';
import { permissions, type Permission } from '../../src/kernel/caller.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import { waysTo } from '../support/call-operation.ts';
import { mapped, withRows } from '../support/import.ts';
import { contentsOf } from '../support/org-contents.ts';
import type { TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const catalogue: readonly AnyOperation[] = operations;

type Inputs = Record<string, Record<string, unknown>>;

/** Somebody with an identifier more and a property, a segment, two imports, and for every tool an input that succeeds. */
async function furnish(org: TestOrg): Promise<Inputs> {
  const person_id = await org.person({ email: 'ada@example.com' });
  await org.tool('add_identifier', { person_id, identifier_type: 'chat', identifier_value: 'ada' });
  const { body: config } = await org.tool('create_property_config', {
    key: 'vip',
    name: 'V',
    type: 'boolean',
  });
  await org.tool('set_person_property', { person_id, key: 'vip', value: true });
  const { body: held } = await org.tool('list_identifiers', { person_id });
  const identifier_id = held.identifiers.find(
    (one: { identifier_value: string }) => one.identifier_value === 'ada',
  ).id;
  const config_id = config.property_config.id;
  const filters = [{ custom_property_key: 'vip', op: 'eq', value: true }];
  const { body: made } = await org.tool('create_segment', { name: 'VIPs', filters });
  const segment_id = made.segment.id;
  const mapping = { Email: 'email' };
  const rows = [{ Email: 'joan@example.com' }];
  const [import_id, ready] = [await mapped(org, mapping), await withRows(org, mapping, rows)];
  const { body: preview } = await org.tool('preview_import', { import_id: ready });
  return {
    search_people: { query: 'ada' },
    list_people: {},
    get_person: { person_id },
    identify_person: { email: 'grace@example.com' },
    delete_person: { person_id },
    list_identifiers: { person_id },
    add_identifier: { person_id, identifier_type: 'phone', identifier_value: '+15550000001' },
    update_identifier: { person_id, identifier_id, identifier_value: 'lovelace' },
    remove_identifier: { person_id, identifier_id },
    list_property_configs: {},
    get_person_properties: { person_id },
    create_property_config: { key: 'tier', name: 'Tier', type: 'string' },
    update_property_config: { config_id, name: 'Very important' },
    delete_property_config: { config_id },
    set_person_property: { person_id, key: 'vip', value: false },
    delete_person_property: { person_id, key: 'vip' },
    list_segments: {},
    get_segment: { segment_id },
    list_segment_members: { segment_id },
    create_segment: { name: 'Others', filters },
    update_segment: { segment_id, name: 'Very important' },
    delete_segment: { segment_id },
    list_subscriptions: { person_id },
    get_opt_outs: { person_id },
    set_opt_outs: { person_id, sms_opt_out: true },
    list_data_imports: {},
    create_import: { name: 'People of spring', columns: ['Email'] },
    set_import_mapping: { import_id, mapping },
    append_import_rows: { import_id, rows },
    preview_import: { import_id },
    get_import: { import_id },
    commit_import: { commit_token: preview.commit_token },
    cancel_import: { import_id },
  };
}

const table: [rule: string, needed: Permission, tools: string[]][] = [
  ['AUT-002', 'people.read', ['search_people', 'list_people', 'get_person']],
  ['AUT-003', 'people.write', ['identify_person']],
  ['AUT-004', 'people.delete', ['delete_person']],
  ['AUT-005', 'people.read', ['list_identifiers']],
  ['AUT-006', 'people.write', ['add_identifier', 'update_identifier', 'remove_identifier']],
  ['AUT-007', 'people.read', ['list_property_configs', 'get_person_properties']],
  [
    'AUT-008',
    'people.write',
    [
      'create_property_config',
      'update_property_config',
      'set_person_property',
      'delete_person_property',
      'delete_property_config',
    ],
  ],
  ['AUT-009', 'people.read', ['list_segments', 'get_segment', 'list_segment_members']],
  ['AUT-010', 'people.write', ['create_segment', 'update_segment', 'delete_segment']],
  ['AUT-011', 'people.read', ['list_subscriptions']],
  ['AUT-012', 'people.read', ['get_opt_outs']],
  ['AUT-013', 'people.write', ['set_opt_outs']],
  [
    'AUT-014',
    'people.write',
    ['create_import', 'set_import_mapping', 'append_import_rows', 'commit_import', 'cancel_import'],
  ],
  ['AUT-015', 'people.read', ['preview_import', 'get_import', 'list_data_imports']],
];

let refusing: Promise<{ org: TestOrg; inputs: Inputs }> | undefined;
/** One for all that is refused: it leaves everything as it was. */
const refusingOrg = () =>
  (refusing ??= world()
    .newOrg()
    .then(async (org) => ({ org, inputs: await furnish(org) })));

test.each(table)('%s without %s these are refused on every face: %j', async (_, needed, tools) => {
  const { org, inputs } = await refusingOrg();
  const without = await world().newKey(
    org,
    permissions.filter((one) => one !== needed),
  );
  const before = await contentsOf(world().admin, org);
  for (const operation of pick(tools)) {
    for (const way of waysTo(operation)) {
      const { status, body } = await way.call(without, inputs[operation.name]!);
      expect({ way: way.name, status, body }).toMatchObject({
        status: 403,
        body: { code: 'forbidden', detail: expect.stringContaining(needed) },
      });
    }
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

// In the gate one face after the other: that each operation asks for the same on both is held for the whole catalogue.
const facesOf = (rule: string) =>
  isLong ? ['rest', 'tool'] : [table.findIndex(([one]) => one === rule) % 2 === 0 ? 'rest' : 'tool'];

test.each(table)('%s with %s alone these are served: %j', async (rule, needed, tools) => {
  for (const face of facesOf(rule)) {
    const org = await world().newOrg();
    const inputs = await furnish(org);
    const only = await world().newKey(org, [needed]);
    for (const operation of pick(tools)) {
      const ways = waysTo(operation);
      const { status } = await (face === 'rest' ? ways[0]! : ways.at(-1)!).call(
        only,
        inputs[operation.name]!,
      );
      expect({ face, tool: operation.name, status }).toMatchObject({
        status: face === 'rest' && operation.creates !== undefined ? 201 : 200,
      });
    }
  }
});

test('AUT-004 people.write alone does not delete a person', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'stays@example.com' });
  const writer = await world().newKey(org, ['people.write']);
  expect((await writer.tool('delete_person', { person_id })).body).toMatchObject({ code: 'forbidden' });
  expect((await writer.rest(`DELETE /v1/people/${person_id}`)).body).toMatchObject({ code: 'forbidden' });
  expect((await org.rest(`GET /v1/people/${person_id}`)).status).toBe(200);
});

test('TOL-013 the 33 people tools of the permission table are offered under exactly these names', async () => {
  const names = table.flatMap(([, , tools]) => tools);
  expect(new Set(names).size).toBe(33);
  const org = await world().newOrg();
  expect(await org.toolNames()).toEqual(expect.arrayContaining(names));
  const people = permissions.filter((one) => one.startsWith('people.'));
  const offered = await (await world().newKey(org, people)).toolNames();
  // One is ours beside those of the table.
  expect(offered.toSorted()).toEqual([...names, 'preview_segment'].toSorted());
});

test('AUT-022 the permission is asked before the arguments are looked at', async () => {
  const org = await world().newOrg();
  const reader = await world().newKey(org, ['people.read']);
  const refused = await reader.tool('identify_person', { nonsense: true });
  expect(refused).toMatchObject({
    isError: true,
    text:
      'This credential lacks the permission people.write. Use a key that has it; whoever runs this installation makes ' +
      `one: rostrum key create --org ${org.id} --name NAME --permissions people.write`,
    body: { code: 'forbidden', status: 403 },
  });
});

const pick = (names: readonly string[]): AnyOperation[] =>
  names.map((name) => {
    const found = catalogue.find((operation) => operation.name === name && operation.faces.tool === true);
    if (found === undefined) throw new Error(`no tool is called ${name}`);
    return found;
  });
