import { beforeAll, expect, test } from 'vitest';
import { newSegment, refusal, whoMatches, type Sent } from '../support/segment.ts';
import type { TestOrg } from '../support/test-org.ts';
import { spread } from '../support/spread.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const ofType = {
  number: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'],
  boolean: ['eq'],
  string: ['eq', 'neq', 'contains', 'in', 'is_empty', 'is_not_empty'],
};
const everyOperator = [...ofType.number, 'contains', 'in', 'is_empty', 'is_not_empty'];
const key = { number: 'seats', boolean: 'vip', string: 'plan_tier' };

async function newConfigs(org: TestOrg): Promise<void> {
  for (const type of ['number', 'boolean', 'string'] as const) {
    await org.rest('POST /v1/property-configs', { key: key[type], name: type, type });
  }
}

const set = async (org: TestOrg, person: string, properties: object): Promise<void> => {
  for (const [name, value] of Object.entries(properties)) {
    const { status } = await org.rest(`PUT /v1/people/${person}/properties/${name}`, { value });
    expect(status).toBe(200);
  }
};

let org: TestOrg;
const people: Record<string, string> = {};
beforeAll(async () => {
  org = await world().newOrg();
  await newConfigs(org);
  for (const [name, properties] of Object.entries({
    big: { seats: 40, vip: true, plan_tier: 'Pro Annual' },
    small: { seats: 2.5, vip: false, plan_tier: 'free' },
    zero: { seats: 0, plan_tier: '' },
    cleared: { seats: null, vip: null, plan_tier: null },
    never: {},
    removed: { seats: 2.5, vip: false, plan_tier: 'free' },
  })) {
    people[name] = await org.person({ external_user_id: name });
    await set(org, people[name], properties);
  }
  for (const name of Object.values(key)) {
    await org.rest(`DELETE /v1/people/${people['removed']}/properties/${name}`);
  }
});

const who = (condition: Sent): Promise<string[]> => whoMatches(org, people, [condition]);
const nobodyElse = ['cleared', 'never', 'removed'];

test('SEG-031 SEG-045 a number property takes six operators; neq also matches who has no value', async () => {
  const seats = (op: string, value: number) => who({ custom_property_key: 'seats', op, value });
  expect(await seats('eq', 2.5)).toEqual(['small']);
  expect(await seats('neq', 2.5)).toEqual(['big', 'cleared', 'never', 'removed', 'zero']);
  expect(await seats('gt', 2.5)).toEqual(['big']);
  expect(await seats('gte', 2.5)).toEqual(['big', 'small']);
  expect(await seats('lt', 2.5)).toEqual(['zero']);
  expect(await seats('lte', 2.5)).toEqual(['small', 'zero']);
  expect(await seats('eq', 0)).toEqual(['zero']);
  expect(await seats('neq', 0)).toEqual(['big', 'cleared', 'never', 'removed', 'small']);
  expect(await seats('gt', 5)).toEqual(['big']);
  expect(await seats('eq', 41)).toEqual([]);
  expect(await seats('neq', 41)).toEqual(Object.keys(people).toSorted());
});

test('SEG-033 SEG-046 a boolean property takes eq; eq false leaves out who has no value', async () => {
  expect(await who({ custom_property_key: 'vip', op: 'eq', value: true })).toEqual(['big']);
  expect(await who({ custom_property_key: 'vip', op: 'eq', value: false })).toEqual(['small']);
});

test('SEG-035 SEG-015 SEG-045 a string property takes six operators, the empty string being a value', async () => {
  const tier = (condition: object) => who({ custom_property_key: 'plan_tier', ...condition });
  expect(await tier({ op: 'eq', value: 'free' })).toEqual(['small']);
  expect(await tier({ op: 'eq', value: 'Free' })).toEqual([]);
  expect(await tier({ op: 'eq', value: '' })).toEqual(['zero']);
  expect(await tier({ op: 'neq', value: 'free' })).toEqual(['big', ...nobodyElse, 'zero']);
  expect(await tier({ op: 'neq', value: '' })).toEqual(['big', ...nobodyElse, 'small']);
  expect(await tier({ op: 'contains', value: 'O AN' })).toEqual(['big']);
  expect(await tier({ op: 'contains', value: 'r' })).toEqual(['big', 'small']);
  expect(await tier({ op: 'in', values: ['free', 'Pro Annual', 'other'] })).toEqual(['big', 'small']);
  expect(await tier({ op: 'in', values: ['', 'pro annual'] })).toEqual(['zero']);
  expect(await tier({ op: 'is_empty' })).toEqual(nobodyElse);
  expect(await tier({ op: 'is_not_empty' })).toEqual(['big', 'small', 'zero']);
});

test.each([
  ['SEG-032 SEG-048', 'number', 5],
  ['SEG-034 SEG-048', 'boolean', true],
  ['SEG-036 SEG-048', 'string', 'free'],
] as const)('%s a %s property refuses every other operator', async (_, type, value) => {
  const allowed = ofType[type];
  for (const op of everyOperator.filter((one) => !allowed.includes(one))) {
    const operand = op === 'in' ? { values: ['free'] } : op.startsWith('is_') ? {} : { value };
    const { errors, sentence } = await refusal(org, [{ custom_property_key: key[type], op, ...operand }]);
    expect(errors).toMatchObject([{ pointer: '/filters/0/op', allowed }]);
    expect(sentence).toContain(allowed.join(', '));
  }
});

test.each([
  ['SEG-032 SEG-049', 'number', ['number'], ['5', '', 'five', true, null, [5], {}, undefined]],
  ['SEG-034 SEG-049', 'boolean', ['true', 'false'], ['true', 'false', '', 0, 1, null, [true], {}, undefined]],
  ['SEG-036 SEG-049', 'string', ['string'], [5, 0, true, false, null, ['free'], {}, undefined]],
] as const)('%s a %s property takes values of its type alone', async (_, type, allowed, wrong) => {
  const operators = ofType[type].filter((one) => one !== 'in' && !one.startsWith('is_'));
  const all = wrong.flatMap((value) => operators.map((op) => ({ op, value })));
  // In the gate each value and each operator, and not each with each.
  for (const { op, value } of spread(all, wrong.length + 1)) {
    const { errors, sentence } = await refusal(org, [{ custom_property_key: key[type], op, value }]);
    expect(errors).toMatchObject([{ pointer: '/filters/0/value', allowed }]);
    expect(sentence).toMatch(/Must be (a number|true or false|a text)/);
  }
});

test('a key is found in other spellings, its own first, and reads back as it was sent', async () => {
  const value = 'free';
  for (const spelling of ['plan_tier', 'planTier', 'PlanTier', 'plan-tier', 'Plan Tier', 'PLAN_TIER']) {
    const filters = [{ custom_property_key: spelling, op: 'eq', value }];
    expect(await whoMatches(org, people, filters)).toEqual(['small']);
    const segment_id = await newSegment(org, filters);
    expect((await org.tool('get_segment', { segment_id })).body.segment).toMatchObject({
      filters,
      warnings: [],
    });
  }
  const both = await world().newOrg();
  await newConfigs(both);
  await both.rest('POST /v1/property-configs', { key: 'planTier', name: 'Another', type: 'string' });
  const ada = await both.person({ external_user_id: 'ada' });
  await set(both, ada, { planTier: 'free' });
  const inBoth = (custom_property_key: string) =>
    whoMatches(both, { ada }, [{ custom_property_key, op: 'eq', value }]);
  expect(await inBoth('planTier')).toEqual(['ada']);
  expect(await inBoth('plan_tier')).toEqual([]);
  expect(await inBoth('Plan Tier')).toEqual([]);
});

test('SEG-035 SEG-045 long texts that differ only at their end are told apart', async () => {
  const long = await world().newOrg();
  await newConfigs(long);
  // Around 500 bytes, beyond which an index holds less than the whole text, and as long as a value can be.
  const lengths = { a: [499, 500, 501, 8190], é: [249, 250, 251, 8190], '🙂': [124, 125, 126, 4095] };
  const texts = new Map<string, string>();
  for (const [letter, counts] of Object.entries(lengths)) {
    for (const count of counts) {
      texts.set(`${count} ${letter}`, letter.repeat(count));
      texts.set(`${count} ${letter} and Z`, `${letter.repeat(count)}Z`);
    }
  }
  const holders: Record<string, string> = {};
  for (const [name, text] of texts) {
    holders[name] = await long.person({ external_user_id: name });
    await set(long, holders[name], { plan_tier: text });
  }
  const have = (condition: object) =>
    whoMatches(long, holders, [{ custom_property_key: 'plan_tier', ...condition }]);
  const names = Object.keys(holders).toSorted();
  for (const [name, value] of spread([...texts], 8)) {
    expect(await have({ op: 'eq', value })).toEqual([name]);
    expect(await have({ op: 'in', values: [value, 'another'] })).toEqual([name]);
    expect(await have({ op: 'neq', value })).toEqual(names.filter((other) => other !== name));
  }
  const ending = names.filter((name) => name.endsWith('Z'));
  expect(await have({ op: 'contains', value: 'z' })).toEqual(ending);
  expect(await have({ op: 'in', values: ending.map((name) => texts.get(name)) })).toEqual(ending);
  expect(await have({ op: 'is_not_empty' })).toEqual(names);
});

test('SEG-045 neq matches who has no value also beside a condition that asks for another one', async () => {
  const own = await world().newOrg();
  await newConfigs(own);
  const ids: Record<string, string> = {};
  for (const [name, properties] of Object.entries({
    untiered: { seats: 3 },
    free: { seats: 3, plan_tier: 'free' },
    pro: { seats: 4, plan_tier: 'pro' },
    unseated: { plan_tier: 'pro' },
  })) {
    ids[name] = await own.person({ external_user_id: name });
    await set(own, ids[name], properties);
  }
  const three = { custom_property_key: 'seats', op: 'eq', value: 3 };
  const notFree = { custom_property_key: 'plan_tier', op: 'neq', value: 'free' };
  expect(await whoMatches(own, ids, [three, notFree])).toEqual(['untiered']);
  const pro = { custom_property_key: 'plan_tier', op: 'eq', value: 'pro' };
  const notFour = { custom_property_key: 'seats', op: 'neq', value: 4 };
  expect(await whoMatches(own, ids, [pro, notFour])).toEqual(['unseated']);
});
