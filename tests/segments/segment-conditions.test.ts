import { beforeAll, expect, test } from 'vitest';
import { contentsOf } from '../support/org-contents.ts';
import { observe } from '../support/observe-person.ts';
import { listMembers, newSegment, refusal, whoMatches, type Sent } from '../support/segment.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const operators = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'contains', 'in', 'is_empty', 'is_not_empty'];

let org: TestOrg;
const people: Record<string, string> = {};
beforeAll(async () => {
  org = await world().newOrg();
  await org.rest('POST /v1/property-configs', { key: 'tier', name: 'Tier', type: 'string' });
  people['ada'] = await org.person({ email: 'ada@example.com', first_name: 'Ada', last_name: 'Ivers' });
  people['bob'] = await org.person({ email: 'bob@example.com', first_name: 'Bob', last_name: 'Ivers' });
  people['cy'] = await org.person({ phone: '+15550001', first_name: 'Cy' });
  people['none'] = await org.person({ anonymous_id: 'none' });
  await observe(world(), people['ada'], { mrr: 5000, health_band: 'power' });
  await observe(world(), people['bob'], { mrr: 1000, health_band: 'low' });
  await org.rest(`PUT /v1/people/${people['ada']}/properties/tier`, { value: 'pro' });
  await org.rest(`PUT /v1/people/${people['cy']}/properties/tier`, { value: 'free' });
});

const who = (...filters: Sent[]): Promise<string[]> => whoMatches(org, people, filters);

const named: Sent = { property: 'first_name', op: 'is_not_empty' };
const ivers: Sent = { property: 'last_name', op: 'eq', value: 'Ivers' };
const paying: Sent = { property: 'mrr', op: 'gte', value: 10 };
const pro: Sent = { custom_property_key: 'tier', op: 'eq', value: 'pro' };

test('SEG-006 a segment holds 1 to 20 conditions, on create, on update and in a preview', async () => {
  const many = (count: number) => Array.from({ length: count }, () => named);
  for (const count of [1, 20]) {
    const filters = many(count);
    const created = await org.tool('create_segment', { name: 'Some', filters });
    expect(created.body.segment.filters).toEqual(filters);
    expect(await who(...filters)).toEqual(['ada', 'bob', 'cy']);
    const id = await newSegment(org, [ivers]);
    const updated = await org.rest(`PATCH /v1/segments/${id}`, { filters });
    expect(updated).toMatchObject({ status: 200, body: { segment: { filters } } });
    expect(await listMembers(org, id)).toHaveLength(3);
  }
  const segment_id = await newSegment(org, [ivers]);
  const before = await contentsOf(world().admin, org);
  for (const filters of [[], many(21), null, {}, 'all', named]) {
    const { errors } = await refusal(org, filters);
    expect(errors).toMatchObject([{ pointer: '/filters' }]);
    const overTool = await org.tool('update_segment', { segment_id, name: 'Other', filters });
    const overRest = await org.rest(`PATCH /v1/segments/${segment_id}`, { name: 'Other', filters });
    for (const { body } of [overTool, overRest]) expect(body).toMatchObject({ status: 400, errors });
  }
  expect((await refusal(org, undefined)).errors).toMatchObject([{ pointer: '/filters' }]);
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('SEG-007 all conditions must match, whatever they ask about', async () => {
  expect(await who(named)).toEqual(['ada', 'bob', 'cy']);
  expect(await who(ivers)).toEqual(['ada', 'bob']);
  expect(await who(paying)).toEqual(['ada', 'bob']);
  expect(await who(pro)).toEqual(['ada']);
  expect(await who(named, ivers, paying)).toEqual(['ada', 'bob']);
  expect(await who(named, ivers, paying, pro)).toEqual(['ada']);
  expect(await who(pro, { property: 'last_name', op: 'neq', value: 'Ivers' })).toEqual([]);
  expect(await who(pro, { custom_property_key: 'tier', op: 'eq', value: 'free' })).toEqual([]);
  const alike = (value: string) => ({ property: 'primary_email', op: 'contains', value });
  expect(await who(alike('example'), alike('b'))).toEqual(['bob']);
  expect(await who(alike('b'), alike('c'))).toEqual(['bob']);
  expect(await who(alike('ada'), alike('bob'))).toEqual([]);
});

test('SEG-007 there is no way to ask for one or another', async () => {
  for (const filters of [
    [{ or: [named, ivers] }],
    [{ ...named, or: [ivers] }],
    [[named, ivers]],
    [{ any: [named], op: 'or' }],
    { or: [named, ivers] },
    [{ ...named, not: true }],
  ]) {
    const { errors } = await refusal(org, filters);
    expect(errors.length).toBeGreaterThan(0);
  }
});

test('SEG-008 SEG-009 a condition names either a property or a custom property', async () => {
  const both = { property: 'first_name', custom_property_key: 'tier' };
  for (const fields of [both, {}]) {
    for (const test of [{ op: 'eq', value: 'a' }, { op: 'is_empty' }, { op: 'in', values: ['a'] }]) {
      const { errors, sentence } = await refusal(org, [named, { ...fields, ...test }]);
      expect(errors).toMatchObject([{ pointer: '/filters/1', allowed: ['property', 'custom_property_key'] }]);
      expect(sentence).toMatch(/property or custom_property_key/);
    }
  }
});

test('SEG-010 a condition needs one of the operators there are', async () => {
  for (const field of [{ property: 'first_name' }, { property: 'mrr' }, { custom_property_key: 'tier' }]) {
    for (const op of [undefined, null, '', '=', 'EQ', 'equals', 'not_in', 'like', ['eq'], 1]) {
      const { errors, sentence } = await refusal(org, [{ ...field, op, value: 'a' }]);
      expect(errors).toMatchObject([{ pointer: '/filters/0/op', allowed: operators }]);
      expect(sentence).toContain(operators.join(', '));
    }
  }
});

test('SEG-011 every operator but in, is_empty and is_not_empty needs a value', async () => {
  for (const [field, ops] of [
    [{ property: 'mrr' }, ['eq', 'neq', 'gt', 'gte', 'lt', 'lte']],
    [{ property: 'created_at' }, ['gt', 'gte', 'lt', 'lte']],
    [{ property: 'first_name' }, ['eq', 'neq', 'contains']],
    [{ property: 'health_band' }, ['eq', 'neq']],
    [{ custom_property_key: 'tier' }, ['eq', 'neq', 'contains']],
  ] as const) {
    for (const op of ops) {
      for (const nothing of [{}, { value: null }]) {
        const { errors } = await refusal(org, [{ ...field, op, ...nothing }]);
        expect(errors).toMatchObject([{ pointer: '/filters/0/value' }]);
      }
      const { errors } = await refusal(org, [{ ...field, op, values: ['a'] }]);
      expect(errors[0]!.pointer).toMatch(/^\/filters\/0\/values?$/);
    }
  }
});

test.each([
  [{ property: 'last_name' }, ['ada', 'bob'], ['Ivers', 'Hopper']],
  [{ property: 'health_band' }, ['ada', 'bob'], ['low', 'power']],
  [{ custom_property_key: 'tier' }, ['ada', 'cy'], ['free', 'pro', 'other']],
])('SEG-012 SEG-014 SEG-015 %o can be empty, not empty or any one of some', async (field, having, values) => {
  const lacking = Object.keys(people).filter((name) => !having.includes(name));
  expect(await who({ ...field, op: 'is_not_empty' })).toEqual(having);
  expect(await who({ ...field, op: 'is_empty' })).toEqual(lacking);
  expect(await who({ ...field, op: 'in', values })).toEqual(having);
  const each = await Promise.all(values.map((one) => who({ ...field, op: 'in', values: [one] })));
  expect([...new Set(each.flat())].toSorted()).toEqual(having);
});

test('SEG-013 in takes a list of one or more strings, up to 500', async () => {
  const names = Array.from({ length: 499 }, (_, index) => `name ${index}`);
  const property = 'first_name';
  expect(await who({ property, op: 'in', values: [...names, 'Cy'] })).toEqual(['cy']);
  for (const field of [{ property }, { property: 'health_band' }, { custom_property_key: 'tier' }]) {
    const lists = [undefined, null, [], 'low', ['low', 5], [null], [['low']], [{}], { 0: 'low' }];
    for (const values of [...lists, [...names, 'Cy', 'Bob']]) {
      const { errors } = await refusal(org, [{ ...field, op: 'in', values }]);
      expect(errors[0]!.pointer).toMatch(/^\/filters\/0\/values(\/\d+)?$/);
    }
    const { errors } = await refusal(org, [{ ...field, op: 'in', value: 'low' }]);
    expect(errors[0]!.pointer).toMatch(/^\/filters\/0\/values?$/);
  }
});
