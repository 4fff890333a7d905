import { expect, test } from 'vitest';
import { listMembers, newSegment, type Sent } from '../support/segment.ts';
import type { TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const values = { string: 'pro', number: 5, boolean: true } as const;
type Type = keyof typeof values;
const types = Object.keys(values) as Type[];

async function configIn(org: TestOrg, type: Type, key = 'tier'): Promise<string> {
  const { body } = await org.tool('create_property_config', { key, name: 'Tier', type });
  return body.property_config.id;
}

const setValue = async (org: TestOrg, person_id: string, value: unknown): Promise<void> => {
  const { isError, text } = await org.tool('set_person_property', { person_id, key: 'tier', value });
  if (isError) throw new Error(text);
};

const conditionsOf: Readonly<Record<Type, readonly Sent[]>> = {
  string: [
    { op: 'eq', value: 'pro' },
    { op: 'neq', value: 'free' },
    { op: 'contains', value: 'r' },
    { op: 'in', values: ['pro', 'free'] },
    { op: 'is_empty' },
    { op: 'is_not_empty' },
  ],
  number: [
    { op: 'eq', value: 5 },
    { op: 'neq', value: 4 },
    { op: 'gt', value: 4 },
    { op: 'gte', value: 5 },
    { op: 'lt', value: 6 },
    { op: 'lte', value: 5 },
  ],
  boolean: [
    { op: 'eq', value: true },
    { op: 'eq', value: false },
  ],
};

const cases = types.flatMap((type) =>
  conditionsOf[type].map((sent, at) => {
    const condition: Sent = { custom_property_key: 'tier', ...sent };
    return { at, type, condition, words: `${type} ${Object.values(sent).join(' ')}` };
  }),
);

/** The segment's warnings, by every read that shows it and by an update. */
async function warningsOf(org: TestOrg, segment_id: string): Promise<unknown> {
  const got = (await org.tool('get_segment', { segment_id })).body.segment;
  const overRest = (await org.rest(`GET /v1/segments/${segment_id}`)).body.segment;
  const { segments } = (await org.tool('list_segments')).body;
  const updated = (await org.rest(`PATCH /v1/segments/${segment_id}`, { name: 'Renamed' })).body.segment;
  const listed = segments.find(({ id }: { id: string }) => id === segment_id);
  for (const other of [overRest, listed, updated]) expect(other.warnings).toEqual(got.warnings);
  return got.warnings;
}

const gone = [
  {
    pointer: '/filters/0/custom_property_key',
    code: 'unknown_property',
    detail: 'No property config has this key.',
  },
];

test.each(cases)('PRP-019 $words matches nobody once the key is deleted', async ({ at, type, condition }) => {
  const org = await world().newOrg();
  const config_id = await configIn(org, type);
  const [holder, empty] = [
    await org.person({ email: 'a@example.com' }),
    await org.person({ phone: '+15550001' }),
  ];
  await setValue(org, holder, type === 'boolean' ? condition['value'] : values[type]);
  const segment_id = await newSegment(org, [condition]);
  const { segment } = (await org.tool('get_segment', { segment_id })).body;
  const matching = { neq: [empty, holder], is_empty: [empty] }[condition['op'] as string] ?? [holder];
  expect(await listMembers(org, segment_id)).toEqual(matching);
  expect(await warningsOf(org, segment_id)).toEqual([]);

  await org.tool('delete_property_config', { config_id });
  expect(await listMembers(org, segment_id)).toEqual([]);
  expect((await org.tool('list_people', { segment_id })).body).toMatchObject({ people: [], total: 0 });
  expect(await warningsOf(org, segment_id)).toEqual(gone);
  const stays = (await org.tool('get_segment', { segment_id })).body.segment;
  expect(stays).toMatchObject({ id: segment.id, filters: segment.filters, created_at: segment.created_at });

  // In the gate by one of the two other types, by turns.
  const others = types.filter((one) => one !== type);
  for (const other of isLong ? others : [others[at % 2]!]) {
    const anew = await configIn(org, other);
    await setValue(org, holder, values[other]);
    expect(await listMembers(org, segment_id)).toEqual([]);
    expect(await warningsOf(org, segment_id)).toMatchObject([
      {
        pointer: expect.stringMatching(/^\/filters\/0\/(op|value|values)$/),
        code: expect.stringMatching(/^invalid_/),
      },
    ]);
    await org.tool('delete_property_config', { config_id: anew });
  }

  await configIn(org, type);
  await setValue(org, holder, type === 'boolean' ? condition['value'] : values[type]);
  expect(await listMembers(org, segment_id)).toEqual(matching);
  expect(await warningsOf(org, segment_id)).toEqual([]);
});

test('PRP-019 other conditions of the segment let nobody in, and other segments are as before', async () => {
  const org = await world().newOrg();
  const config_id = await configIn(org, 'string');
  await configIn(org, 'string', 'kept');
  const ada = await org.person({ email: 'ada@example.com', first_name: 'Ada' });
  const named = { property: 'first_name', op: 'eq', value: 'Ada' };
  const onKept = { custom_property_key: 'kept', op: 'is_empty' };
  const both = await newSegment(org, [named, { custom_property_key: 'tier', op: 'neq', value: 'x' }, onKept]);
  const others = [await newSegment(org, [named]), await newSegment(org, [onKept])];
  expect(await listMembers(org, both)).toEqual([ada]);
  await org.rest(`DELETE /v1/property-configs/${config_id}`);
  expect(await listMembers(org, both)).toEqual([]);
  expect(await warningsOf(org, both)).toMatchObject([{ pointer: '/filters/1/custom_property_key' }]);
  for (const segment of others) {
    expect(await listMembers(org, segment)).toEqual([ada]);
    expect(await warningsOf(org, segment)).toEqual([]);
  }
});

test('PRP-019 such a segment can be renamed, mended and deleted, and its condition not sent again', async () => {
  const org = await world().newOrg();
  const config_id = await configIn(org, 'string');
  const ada = await org.person({ email: 'ada@example.com' });
  const condition = { custom_property_key: 'tier', op: 'is_empty' };
  const [segment_id, other] = [await newSegment(org, [condition]), await newSegment(org, [condition])];
  await org.tool('delete_property_config', { config_id });
  const again = await org.tool('update_segment', { segment_id, filters: [condition] });
  expect(again.body).toMatchObject({ status: 400, errors: [{ code: 'unknown_property', allowed: [] }] });
  const filters = [{ property: 'primary_email', op: 'is_not_empty' }];
  const mended = await org.tool('update_segment', { segment_id, filters });
  expect(mended.body.segment).toMatchObject({ filters, warnings: [] });
  expect(await listMembers(org, segment_id)).toEqual([ada]);
  expect((await org.tool('delete_segment', { segment_id: other })).body).toMatchObject({ deleted: true });
});

test('PRP-019 a key that is only spelled alike never takes the place of the one a condition was made for', async () => {
  const org = await world().newOrg();
  const [exact, alike] = [
    await org.person({ email: 'exact@example.com' }),
    await org.person({ email: 'alike@example.com' }),
  ];
  const set = (person_id: string, key: string) =>
    org.tool('set_person_property', { person_id, key, value: 'gold' });
  const sent = { custom_property_key: 'planTier', op: 'eq', value: 'gold' };

  // Made while only plan_tier is there, it means plan_tier also once planTier is.
  await configIn(org, 'string', 'plan_tier');
  await set(alike, 'plan_tier');
  const early = await newSegment(org, [sent]);
  const config = await configIn(org, 'string', 'planTier');
  await set(exact, 'planTier');
  expect(await listMembers(org, early)).toEqual([alike]);
  expect((await org.rest(`GET /v1/segments/${early}`)).body.segment.filters).toEqual([sent]);

  // Made for planTier, it matches nobody once that is gone, though plan_tier is still there.
  const late = await newSegment(org, [sent]);
  expect(await listMembers(org, late)).toEqual([exact]);
  await org.tool('delete_property_config', { config_id: config });
  expect(await listMembers(org, late)).toEqual([]);
  expect((await org.rest(`GET /v1/segments/${late}`)).body.segment.warnings).toHaveLength(1);
  expect(await listMembers(org, early)).toEqual([alike]);
});
