import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { contentsOf } from '../support/org-contents.ts';
import { asProblem, problem } from '../support/problem.ts';
import { listMembers, newSegment, refusal, type Sent } from '../support/segment.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const numbers = ['mrr', 'ltv', 'email_engagement_score', 'health_score', 'score_change_7d'];
const payments = ['first_payment_date', 'next_payment_date', 'cancels_at'];
const moments = ['created_at', 'last_opened_at', 'last_clicked_at', 'last_replied_at'];
const names = ['first_name', 'last_name', 'org_assigned_user_id'];
const contacts = ['primary_email', 'primary_phone', 'primary_contact_method'];
const fixed = ['subscription_status', 'payment_processor', 'health_band', 'health_trend'];
const fields = [...numbers, ...payments, ...moments, ...names, ...contacts, ...fixed];

const allIvers: Sent = { property: 'last_name', op: 'eq', value: 'Ivers' };

async function newcomer(): Promise<{ org: TestOrg; ada: string }> {
  const org = await world().newOrg();
  for (const [key, type] of [
    ['tier', 'string'],
    ['seats', 'number'],
    ['vip', 'boolean'],
  ]) {
    await org.rest('POST /v1/property-configs', { key, name: key, type });
  }
  return { org, ada: await org.person({ email: 'ada@example.com', last_name: 'Ivers' }) };
}

test('SEG-047 an unknown property is refused with the fields there are', async () => {
  const { org } = await newcomer();
  for (const property of [
    '',
    'MRR',
    'name',
    'email',
    'external_user_id',
    'id',
    'org_id',
    'tier',
    'mrr ',
    5,
  ]) {
    const { errors, sentence } = await refusal(org, [{ property, op: 'eq', value: 'a' }]);
    expect(errors).toMatchObject([{ pointer: '/filters/0/property' }]);
    expect(errors[0]!.allowed!.toSorted()).toEqual(fields.toSorted());
    for (const field of fields) expect(sentence).toContain(field);
  }
});

test('SEG-048 SEG-049 what a field does not take is refused over both faces in the one shape', async () => {
  const { org } = await newcomer();
  for (const filters of [
    [{ property: 'mrr', op: 'contains', value: '5' }],
    [{ property: 'mrr', op: 'eq', value: '5' }],
    [{ custom_property_key: 'vip', op: 'neq', value: true }],
    [{ custom_property_key: 'vip', op: 'eq', value: 'true' }],
  ]) {
    const refused = await org.rest('POST /v1/segments', { name: 'Refused', filters });
    expect(asProblem(refused)).toEqual(problem(400, 'invalid_request', '/v1/segments'));
    const overTool = await org.tool('create_segment', { name: 'Refused', filters });
    expect(overTool.text).toBe(refused.body.detail);
    expect(overTool.body.errors).toEqual(refused.body.errors);
    for (const choice of refused.body.errors[0].allowed) expect(overTool.text).toContain(choice);
  }
});

test('SEG-047 SEG-048 SEG-049 SEG-050 every condition that is wrong is named with its place', async () => {
  const { org } = await newcomer();
  const { errors, sentence } = await refusal(org, [
    allIvers,
    { property: 'created_at', op: 'eq', value: 'now' },
    { property: 'health_band', op: 'in', values: ['low', 'bogus'] },
    { custom_property_key: 'rank', op: 'is_empty' },
    { custom_property_key: 'seats', op: 'gt', value: '5' },
    { op: 'is_empty' },
  ]);
  expect(errors.map(({ pointer }) => pointer)).toEqual([
    '/filters/1/op',
    '/filters/2/values',
    '/filters/3/custom_property_key',
    '/filters/4/value',
    '/filters/5',
  ]);
  for (const { allowed } of errors) expect(allowed).not.toHaveLength(0);
  expect(sentence).toMatch(/^filters\/1\/op: .*gt, gte, lt, lte/);
});

test('SEG-050 an unknown custom_property_key is refused with the keys of the organization', async () => {
  const { org } = await newcomer();
  const other = await world().newOrg();
  await other.rest('POST /v1/property-configs', { key: 'theirs', name: 'Theirs', type: 'string' });
  for (const custom_property_key of ['rank', 'Tier2', 'theirs', 'first_name', 'mrr', randomUUID()]) {
    const { errors, sentence } = await refusal(org, [{ custom_property_key, op: 'is_empty' }]);
    expect(errors).toMatchObject([
      { pointer: '/filters/0/custom_property_key', allowed: ['seats', 'tier', 'vip'] },
    ]);
    expect(sentence).toContain('seats, tier, vip');
  }
  const empty = await world().newOrg();
  const { errors, sentence } = await refusal(empty, [{ custom_property_key: 'tier', op: 'is_empty' }]);
  expect(errors).toMatchObject([{ allowed: [] }]);
  expect(sentence).toContain('no custom properties yet');
});

test('SEG-051 a refused create makes no segment, and a refused update leaves all as it was', async () => {
  const { org, ada } = await newcomer();
  const segment_id = await newSegment(org, [allIvers]);
  const before = await contentsOf(world().admin, org);
  for (const wrong of [
    { property: 'shoe_size', op: 'eq', value: 5 },
    { property: 'identified', op: 'eq', value: true },
    { property: 'mrr', op: 'contains', value: '5' },
    { property: 'mrr', op: 'eq', value: '5' },
    { property: 'created_at', op: 'gt', value: 'yesterday' },
    { property: 'health_band', op: 'eq', value: 'bogus' },
    { custom_property_key: 'rank', op: 'is_empty' },
    { custom_property_key: 'vip', op: 'eq', value: 'true' },
    { property: 'last_name', custom_property_key: 'tier', op: 'is_empty' },
    { property: 'last_name', op: 'in', values: [] },
    { property: 'last_name', op: 'is_empty', extra: true },
    {},
  ]) {
    const filters = [allIvers, wrong];
    const { errors } = await refusal(org, filters);
    const change = { name: 'Other', description: 'Another.', color: '#fff', filters };
    const overTool = await org.tool('update_segment', { segment_id, ...change });
    const overRest = await org.rest(`PATCH /v1/segments/${segment_id}`, change);
    for (const { body } of [overTool, overRest]) expect(body).toMatchObject({ status: 400, errors });
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
  expect(await listMembers(org, segment_id)).toEqual([ada]);
});

test('SEG-052 what a dashboard stored reads back in the shape that is sent here', async () => {
  const { org, ada } = await newcomer();
  const filters = [
    { property: 'primary_email', op: 'contains', value: 'EXAMPLE' },
    { property: 'created_at', op: 'gte', value: 'now-30d' },
    { property: 'last_name', op: 'in', values: ['Ivers', 'Hopper'] },
    { property: 'mrr', op: 'lte', value: 10.5 },
    { custom_property_key: 'vip', op: 'eq', value: false },
    { custom_property_key: 'tier', op: 'is_empty' },
  ];
  const { rows } = await world().admin.query<{ id: string }>(
    `insert into segments (org_id, id, name, description, color, filters, created_at, updated_at)
     values ($1, gen_random_uuid(), 'Made in the dashboard', 'By hand.', '#0af', $2, now(), now()) returning id`,
    [org.id, JSON.stringify(filters)],
  );
  const { id } = rows[0]!;
  const segment = { id, name: 'Made in the dashboard', is_system: false, filters, warnings: [] };
  expect((await org.tool('get_segment', { segment_id: id })).body).toMatchObject({ segment });
  expect((await org.rest(`GET /v1/segments/${id}`)).body.segment.filters).toEqual(filters);
  for (const { body } of [await org.tool('list_segments'), await org.rest('GET /v1/segments')]) {
    expect(body.segments[0]).toMatchObject(segment);
  }
  expect(await listMembers(org, id)).toEqual([]);
  await org.rest(`PUT /v1/people/${ada}/properties/vip`, { value: false });
  expect(await listMembers(org, id)).toEqual([ada]);
  // And what reads back can be sent.
  expect(await listMembers(org, await newSegment(org, filters))).toEqual([ada]);
});

test('SEG-053 SEG-054 identified people read back as identified eq true, which cannot be sent', async () => {
  const { org, ada } = await newcomer();
  await org.person({ anonymous_id: 'a visitor' });
  const filters = [{ property: 'identified', op: 'eq', value: true }];
  const preset = { name: 'Identified people', is_system: true, filters, warnings: [] };
  const { segments } = (await org.rest('GET /v1/segments')).body;
  const { id } = segments.find(({ name }: { name: string }) => name === preset.name);
  const segment_id: string = id;
  for (const { body } of [
    await org.tool('get_segment', { segment_id }),
    await org.rest(`GET /v1/segments/${id}`),
  ]) {
    expect(body.segment).toMatchObject(preset);
    expect(body.segment.filters).toEqual(filters);
  }
  expect(await listMembers(org, segment_id)).toEqual([ada]);
  const before = await contentsOf(world().admin, org);
  for (const property of ['identified', 'opted_out']) {
    for (const value of [true, false]) {
      const { errors } = await refusal(org, [{ property, op: 'eq', value }]);
      expect(errors).toMatchObject([{ pointer: '/filters/0/property' }]);
      expect(errors[0]!.allowed).not.toContain(property);
    }
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
});
