import { expect, test } from 'vitest';
import { contentsOf } from '../support/org-contents.ts';
import { newSegment } from '../support/segment.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const contents = (org: TestOrg) => contentsOf(world().admin, org);
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const filters = [
  { property: 'mrr', op: 'gte', value: 49.5 },
  { property: 'last_opened_at', op: 'gt', value: 'now-30d' },
  { property: 'subscription_status', op: 'in', values: ['active', 'trialing'] },
  { property: 'last_name', op: 'is_empty' },
  { custom_property_key: 'vip', op: 'eq', value: true },
];
const sent = { name: 'Big spenders', description: 'Who pays well.', color: '#2563eb', filters };

async function newOrg(): Promise<TestOrg> {
  const org = await world().newOrg();
  await org.tool('create_property_config', { key: 'vip', name: 'VIP', type: 'boolean' });
  return org;
}

test('SEG-001 SEG-056 SEG-062 SEG-064 a segment reads back with all its fields, its conditions as stored', async () => {
  const org = await newOrg();
  const overRest = await org.rest('POST /v1/segments', sent);
  expect(overRest.status).toBe(201);
  const overTool = await org.tool('create_segment', sent);
  for (const { body } of [overRest, overTool]) {
    expect(body).toEqual({
      segment: {
        ...sent,
        id: expect.stringMatching(uuid),
        is_system: false,
        warnings: [],
        used_by: [],
        created_at: expect.stringMatching(moment),
        updated_at: body.segment.created_at,
      },
      count: 0,
    });
    const { segment } = body;
    expect((await org.tool('get_segment', { segment_id: segment.id })).body).toEqual({ segment });
    expect(await org.rest(`GET /v1/segments/${segment.id}`)).toMatchObject({
      status: 200,
      body: { segment },
    });
  }
  expect(overTool.body.segment.id).not.toBe(overRest.body.segment.id);
});

test('SEG-056 get_segment takes the id of a segment, and one that nothing has is not found', async () => {
  const org = await newOrg();
  const person = await org.person({ email: 'ada@example.com' });
  for (const segment_id of [person, '018f0000-0000-7000-8000-000000000000']) {
    const overTool = await org.tool('get_segment', { segment_id });
    expect(overTool).toMatchObject({ isError: true, body: { status: 404, code: 'not_found' } });
    expect(overTool.text).toBe('No segment with this id exists in this organization.');
    expect((await org.rest(`GET /v1/segments/${segment_id}`)).status).toBe(404);
  }
  expect((await org.tool('get_segment')).body).toMatchObject({ errors: [{ pointer: '/segment_id' }] });
});

test('SEG-055 list_segments answers segments, newest first, those of one moment in a fixed order', async () => {
  const org = await newOrg();
  const start = Date.now();
  const made: string[] = [];
  try {
    for (const minute of [1, 3, 2, 4, 4]) {
      world().clock.now = () => new Date(start + minute * 60_000);
      made.push(await newSegment(org, filters));
    }
  } finally {
    world().clock.now = () => new Date();
  }
  const [first, third, second, fourth, fifth] = made as [string, string, string, string, string];
  const overTool = await org.tool('list_segments');
  const overRest = await org.rest('GET /v1/segments');
  expect(overRest.body).toEqual(overTool.body);
  expect(Object.keys(overRest.body)).toContain('segments');
  const own = overRest.body.segments.filter((one: { is_system: boolean }) => !one.is_system);
  expect(idsOf(own)).toEqual([fifth, fourth, third, second, first]);
  expect(own[4]).toEqual((await org.tool('get_segment', { segment_id: first })).body.segment);
  const paged = [];
  for (let offset = 0; offset < 10; offset += 3) {
    paged.push(...(await org.rest(`GET /v1/segments?limit=3&offset=${offset}`)).body.segments);
  }
  expect(paged).toEqual(overRest.body.segments);
  expect(overRest.body).toMatchObject({ total: 10, limit: 200, offset: 0 });
});

test.each([undefined, '', ' ', '\t\n', null, 7, ['a'], 'a'.repeat(201)])(
  'SEG-061 the name %j is refused, and no segment is made',
  async (name) => {
    const org = await newOrg();
    const before = await contents(org);
    const refused = { status: 400, code: 'invalid_request', errors: [{ pointer: '/name' }] };
    expect((await org.tool('create_segment', { ...sent, name })).body).toMatchObject(refused);
    expect((await org.rest('POST /v1/segments', { ...sent, name })).body).toMatchObject(refused);
    expect(await contents(org)).toEqual(before);
  },
);

test('SEG-061 SEG-062 a name is enough, may be another segment’s, and loses the space around it', async () => {
  const org = await newOrg();
  for (const name of ['a', 'a', ' VIPs, “gold” ', 'ü'.repeat(200)]) {
    const { body } = await org.tool('create_segment', { name, filters });
    expect(body.segment).toMatchObject({ name: name.trim(), description: null, color: null });
  }
});

test.each(['#fff', '#FFF', '#2563eb', '#2563EB', '#000000'])(
  'SEG-062 the color %j is taken as it is written, and the schema that clients check against lets it through',
  async (color) => {
    const org = await newOrg();
    const { body } = await org.rest('POST /v1/segments', { ...sent, color });
    expect(body.segment.color).toBe(color);
    const { result } = await org.rpc('tools/list', {});
    const { inputSchema } = result.tools.find(({ name }: { name: string }) => name === 'create_segment');
    expect(color).toMatch(new RegExp(inputSchema.properties.color.pattern));
  },
);

test.each([
  '',
  '2563eb',
  '#25',
  '#2563e',
  '#2563eg',
  '#2563eb7',
  ' #2563eb',
  '#2563eb\n',
  'red',
  0x2563eb,
  true,
])('SEG-063 the color %j is refused, on create and on update', async (color) => {
  const org = await newOrg();
  const segment_id = await newSegment(org, filters);
  const before = await contents(org);
  const refused = { status: 400, code: 'invalid_request', errors: [{ pointer: '/color' }] };
  expect((await org.tool('create_segment', { ...sent, color })).body).toMatchObject(refused);
  expect((await org.rest('POST /v1/segments', { ...sent, color })).body).toMatchObject(refused);
  expect((await org.tool('update_segment', { segment_id, color })).body).toMatchObject(refused);
  expect(await contents(org)).toEqual(before);
});

test('the same Idempotency-Key makes one segment', async () => {
  const org = await newOrg();
  const key = { 'idempotency-key': 'once' };
  const first = await org.rest('POST /v1/segments', sent, key);
  const before = await contents(org);
  const again = await org.rest('POST /v1/segments', sent, key);
  expect(again).toMatchObject({ status: 201, body: first.body });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  const other = await org.rest('POST /v1/segments', { ...sent, name: 'Others' }, key);
  expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
  expect(await contents(org)).toEqual(before);
});

const idsOf = (list: { id: string }[]): string[] => list.map(({ id }) => id);
