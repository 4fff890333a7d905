import { beforeAll, expect, test } from 'vitest';
import { observe } from '../support/observe-person.ts';
import { refusal, whoMatches } from '../support/segment.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const fixed = {
  subscription_status: [
    'incomplete',
    'incomplete_expired',
    'trialing',
    'active',
    'past_due',
    'canceled',
    'unpaid',
    'paused',
    'inactive',
  ],
  payment_processor: ['processor_a', 'processor_b', 'processor_c'],
  health_band: ['critical', 'low', 'moderate', 'healthy', 'power'],
  health_trend: ['rising', 'steady', 'falling'],
};
const fields = Object.entries(fixed);
const operators = ['eq', 'neq', 'in', 'is_empty', 'is_not_empty'];

/** One person for every value, named by it, and one with no value at all. */
const people: Record<string, string> = {};
let org: TestOrg;
beforeAll(async () => {
  org = await world().newOrg();
  for (const [field, values] of fields) {
    for (const value of values) {
      people[value] = await org.person({ anonymous_id: value });
      await observe(world(), people[value], { [field]: value });
    }
  }
  people['none'] = await org.person({ anonymous_id: 'none' });
});

test.each(fields)('SEG-027 SEG-028 %s takes the five operators with each value', async (property, values) => {
  const who = (condition: object) => whoMatches(org, people, [{ property, ...condition }]);
  const everybody = Object.keys(people);
  const without = (...left: string[]) => everybody.filter((name) => !left.includes(name)).toSorted();
  for (const value of values) {
    expect(await who({ op: 'eq', value })).toEqual([value]);
    expect(await who({ op: 'neq', value })).toEqual(without(value));
    expect(await who({ op: 'in', values: [value] })).toEqual([value]);
  }
  const [first, second] = values as [string, string];
  expect(await who({ op: 'in', values: [second, first, second] })).toEqual([first, second].toSorted());
  expect(await who({ op: 'in', values })).toEqual(values.toSorted());
  expect(await who({ op: 'is_not_empty' })).toEqual(values.toSorted());
  expect(await who({ op: 'is_empty' })).toEqual(without(...values));
});

test.each(fields)('SEG-029 SEG-048 %s refuses what is for other kinds of field', async (property, values) => {
  for (const op of ['contains', 'gt', 'gte', 'lt', 'lte']) {
    const { errors, sentence } = await refusal(org, [{ property, op, value: values[0] }]);
    expect(errors).toMatchObject([{ pointer: '/filters/0/op', allowed: operators }]);
    expect(sentence).toContain(operators.join(', '));
  }
});

test.each(fields)('SEG-030 SEG-049 a %s outside the list is refused with the list', async (field, values) => {
  const [first] = values as [string];
  const texts = ['bogus', '', first.toUpperCase(), ` ${first}`, 'constructor', '%'];
  const refused = [
    ...['eq', 'neq'].flatMap((op) =>
      [...texts, 5, true, null, [first], { value: first }, undefined].map((value) => ({ op, value })),
    ),
    ...texts.map((text) => ({ op: 'in', values: [first, text] })),
  ];
  for (const condition of refused) {
    const { errors, sentence } = await refusal(org, [{ property: field, ...condition }]);
    const at = condition.op === 'in' ? 'values' : 'value';
    expect(errors).toMatchObject([{ pointer: `/filters/0/${at}`, allowed: values }]);
    for (const value of values) expect(sentence).toContain(value);
  }
});
