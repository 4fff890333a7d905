import { beforeAll, expect, test } from 'vitest';
import { observe, type Observed } from '../support/observe-person.ts';
import { refusal, whoMatches, type People } from '../support/segment.ts';
import type { TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { whoPreviews } from './who-previews.ts';

const world = useWorld();

const fields = ['mrr', 'ltv', 'email_engagement_score', 'health_score', 'score_change_7d'] as const;
const isMoney = (field: string): boolean => field === 'mrr' || field === 'ltv';
const operators = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'];

let org: TestOrg;
const people: Record<string, string> = {};
beforeAll(async () => {
  org = await world().newOrg();
  for (const [name, value] of Object.entries({ minus: -2.5, zero: 0, low: 2.5, high: 40, none: null })) {
    const id = await org.person({ anonymous_id: name });
    const observed = fields
      .filter((field) => field !== 'email_engagement_score' && (!isMoney(field) || value !== null))
      .map((field) => [field, isMoney(field) ? Number(value) * 100 : value]);
    await observe(world(), id, Object.fromEntries(observed) as Observed);
    people[name] = id;
  }
});

const who = (property: string, op: string, value: number): Promise<string[]> =>
  (isLong || property === 'mrr' ? whoMatches : whoPreviews)(org, people, [{ property, op, value }]);
const previewed = (property: string, op: string, value: number): Promise<string[]> =>
  whoPreviews(org, people, [{ property, op, value }]);

const free = fields.filter((field) => field !== 'email_engagement_score');

test.each(free)('SEG-016 SEG-017 %s is compared as a number by all six operators', async (field) => {
  // An amount is never absent: who paid nothing has 0.
  const none = isMoney(field) ? ['none'] : [];
  expect(await who(field, 'eq', 2.5)).toEqual(['low']);
  expect(await who(field, 'neq', 2.5)).toEqual(['high', 'minus', 'none', 'zero']);
  expect(await who(field, 'gt', 2.5)).toEqual(['high']);
  expect(await who(field, 'gte', 2.5)).toEqual(['high', 'low']);
  expect(await who(field, 'lt', 2.5)).toEqual(['minus', ...none, 'zero']);
  expect(await who(field, 'lte', 2.5)).toEqual(['low', 'minus', ...none, 'zero']);
  expect(await previewed(field, 'eq', 0)).toEqual([...none, 'zero']);
  expect(await previewed(field, 'lt', 0)).toEqual(['minus']);
  expect(await previewed(field, 'lte', -2.5)).toEqual(['minus']);
  expect(await previewed(field, 'eq', -2.5)).toEqual(['minus']);
  // 40 comes before 5 as text.
  expect(await previewed(field, 'gt', 5)).toEqual(['high']);
  expect(await previewed(field, 'gt', 40)).toEqual([]);
  expect(await previewed(field, 'eq', 2.51)).toEqual([]);
});

test('SEG-016 SEG-017 email_engagement_score is compared as a whole number from 0 to 100', async () => {
  const scored = await world().newOrg();
  const having: Record<string, string> = {};
  for (const [name, email_engagement_score] of Object.entries({
    zero: 0,
    low: 3,
    high: 40,
    top: 100,
    none: null,
  })) {
    having[name] = await scored.person({ anonymous_id: name });
    await observe(world(), having[name], { email_engagement_score });
  }
  const all = ['high', 'low', 'top', 'zero'];
  for (const [op, value, expected] of [
    ['eq', 3, ['low']],
    ['eq', 2.5, []],
    ['eq', 0, ['zero']],
    ['eq', 100, ['top']],
    ['eq', -1, []],
    ['eq', 101, []],
    ['neq', 3, ['high', 'none', 'top', 'zero']],
    ['neq', 2.5, ['high', 'low', 'none', 'top', 'zero']],
    ['neq', 0, ['high', 'low', 'none', 'top']],
    ['neq', 100, ['high', 'low', 'none', 'zero']],
    ['neq', 1e308, ['high', 'low', 'none', 'top', 'zero']],
    ['gt', 2.5, ['high', 'low', 'top']],
    ['gt', 3, ['high', 'top']],
    ['gt', -5, all],
    ['gt', 100, []],
    ['gte', 3, ['high', 'low', 'top']],
    ['gte', 3.01, ['high', 'top']],
    ['gte', 0, all],
    ['gte', 100.5, []],
    ['lt', 3, ['zero']],
    ['lt', 3.5, ['low', 'zero']],
    ['lt', 0, []],
    ['lt', 1e300, all],
    ['lte', 3, ['low', 'zero']],
    ['lte', -0.5, []],
    ['lte', 100, all],
  ] as const) {
    const found = await whoPreviews(scored, having, [{ property: 'email_engagement_score', op, value }]);
    expect([op, value, found]).toEqual([op, value, expected]);
  }
});

test.each(fields)('SEG-018 SEG-048 %s refuses what is for other kinds of field', async (property) => {
  for (const condition of [
    { property, op: 'contains', value: '5' },
    { property, op: 'in', values: ['5'] },
    { property, op: 'is_empty' },
    { property, op: 'is_not_empty' },
  ]) {
    const { errors, sentence } = await refusal(org, [condition]);
    expect(errors).toMatchObject([{ pointer: '/filters/0/op', allowed: operators }]);
    expect(sentence).toContain(operators.join(', '));
  }
});

test.each(fields)('SEG-019 SEG-049 %s takes a number and nothing that looks like one', async (property) => {
  const wrong = ['5', '2.5', '', ' 5', '0x5', 'now', true, null, [5], { value: 5 }, undefined];
  // In the gate a third by each field, and each by one at least.
  for (const value of wrong.filter((_, at) => isLong || (at + fields.indexOf(property)) % 3 === 0)) {
    const { errors, sentence } = await refusal(org, [{ property, op: 'eq', value }]);
    expect(errors).toMatchObject([{ pointer: '/filters/0/value', allowed: ['number'] }]);
    expect(sentence).toContain('Must be a number');
  }
});

test('SEG-017 a score is compared to its last binary digit', async () => {
  const exact = await org.person({ anonymous_id: 'exact' });
  await observe(world(), exact, { health_score: 0.1 + 0.2 });
  const among = { exact, ...people };
  const scored = (op: string, value: number) =>
    whoMatches(org, among, [{ property: 'health_score', op, value }]);
  expect(await scored('eq', 0.1 + 0.2)).toEqual(['exact']);
  expect(await scored('eq', 0.3)).toEqual([]);
  expect(await scored('gt', 0.3)).toEqual(['exact', 'high', 'low']);
  await org.rest(`DELETE /v1/people/${exact}`);
});

/** In the gate an amount is tried on one of the two fields, some on the one and some on the other. */
const amountsBy = (minor: number): string[] => (isLong ? ['mrr', 'ltv'] : [minor % 2 === 0 ? 'mrr' : 'ltv']);

/** People who pay these minor units, named by them. */
async function payers(currency: string, ...amounts: number[]): Promise<[TestOrg, People]> {
  const payersOrg = await world().newOrg({ currency });
  const paying: Record<string, string> = {};
  const { rows } = await world().admin.query<{ id: string; mrr: string }>(
    `insert into people (org_id, id, mrr, ltv, created_at, updated_at)
     select $1, gen_random_uuid(), amount, amount, now(), now() from unnest($2::bigint[]) amount returning id, mrr`,
    [payersOrg.id, amounts],
  );
  for (const { id, mrr } of rows) paying[mrr] = id;
  return [payersOrg, paying];
}

test.each([
  ['a part of a cent', 'USD', 10.555, 1055, 1056],
  ['a part of a yen', 'JPY', 99.5, 99, 100],
  ['a part of a fils', 'KWD', 12.3455, 12_345, 12_346],
  ['a part of a cent owed', 'EUR', -10.555, -1056, -1055],
])('SEG-017 %s equals no amount and lies between two', async (_, currency, value, below, above) => {
  const [org, people] = await payers(currency, below, above);
  for (const property of amountsBy(above)) {
    const paying = (op: string) => whoPreviews(org, people, [{ property, op, value }]);
    expect(await paying('eq')).toEqual([]);
    expect(await paying('neq')).toEqual([`${below}`, `${above}`].toSorted());
    for (const op of ['gt', 'gte']) expect(await paying(op)).toEqual([`${above}`]);
    for (const op of ['lt', 'lte']) expect(await paying(op)).toEqual([`${below}`]);
  }
});

test.each([
  ['JPY', 100, 100],
  ['USD', 0.29, 29],
  ['USD', 0.1 + 0.2, 30],
  ['USD', 4.35, 435],
  ['USD', 9_999_999_999_999.99, 999_999_999_999_999],
  ['KWD', 12.345, 12_345],
  ['USD', -12.34, -1234],
])('SEG-017 an amount in %s of %d is met to the minor unit', async (currency, value, minor) => {
  const [org, people] = await payers(currency, minor - 1, minor, minor + 1);
  const [below, at, above] = [`${minor - 1}`, `${minor}`, `${minor + 1}`];
  for (const property of amountsBy(minor)) {
    const paying = (op: string) => whoPreviews(org, people, [{ property, op, value }]);
    expect(await paying('eq')).toEqual([at]);
    expect(await paying('neq')).toEqual([below, above].toSorted());
    expect(await paying('gt')).toEqual([above]);
    expect(await paying('gte')).toEqual([at, above].toSorted());
    expect(await paying('lt')).toEqual([below]);
    expect(await paying('lte')).toEqual([below, at].toSorted());
  }
});

test('SEG-017 SEG-031 numbers at the edge are compared as numbers', async () => {
  const edge = await world().newOrg();
  await edge.rest('POST /v1/property-configs', { key: 'seats', name: 'Seats', type: 'number' });
  const numbers = [-1e308, 0, 5e-324, 1e21, 1e308];
  const holders: Record<string, string> = {};
  for (const number of numbers) {
    const id = await edge.person({ anonymous_id: `has ${number}` });
    await observe(world(), id, { health_score: number });
    await edge.rest(`PUT /v1/people/${id}/properties/seats`, { value: number });
    holders[number] = id;
  }
  for (const on of [{ property: 'health_score' }, { custom_property_key: 'seats' }]) {
    for (const value of numbers) {
      for (const [op, holds] of Object.entries({
        eq: (other: number) => other === value,
        neq: (other: number) => other !== value,
        gt: (other: number) => other > value,
        lte: (other: number) => other <= value,
      })) {
        const expected = numbers.filter(holds).map(String).toSorted();
        expect(await whoPreviews(edge, holders, [{ ...on, op, value }])).toEqual(expected);
      }
    }
  }
});

test('SEG-017 amounts are compared with more than anybody pays, and with next to nothing', async () => {
  const [org, people] = await payers('USD', 500);
  for (const property of ['mrr', 'ltv']) {
    for (const [value, inside, outside] of [
      [1e13, ['lt', 'lte', 'neq'], ['gt', 'gte', 'eq']],
      [-1e13, ['gt', 'gte', 'neq'], ['lt', 'lte', 'eq']],
      [5e-324, ['gt', 'gte', 'neq'], ['lt', 'lte', 'eq']],
    ] as const) {
      for (const op of inside)
        expect(await whoPreviews(org, people, [{ property, op, value }])).toEqual(['500']);
      for (const op of outside) expect(await whoPreviews(org, people, [{ property, op, value }])).toEqual([]);
    }
  }
});
