import { expect, test } from 'vitest';
import { observe } from '../support/observe-person.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

/** People whose mrr and ltv are these minor units, one person each. */
async function orgWith(minor: readonly number[], currency?: string): Promise<TestOrg> {
  const org = await world().newOrg(currency === undefined ? {} : { currency });
  for (const amount of minor) {
    const id = await org.person({ anonymous_id: `owes ${amount}` });
    await observe(world(), id, { mrr: amount, ltv: amount });
  }
  return org;
}

/** The amounts within the bounds, smallest first, with `total` agreeing. */
async function within(org: TestOrg, field: 'mrr' | 'ltv', bounds: { gte?: number; lte?: number }) {
  const named = Object.entries(bounds).map(([side, bound]) => [`${field}_${side}`, bound] as const);
  const args = { ...Object.fromEntries(named), sort: field, order: 'asc' };
  const overTool = await org.tool('list_people', args);
  const query = Object.entries(args).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const overRest = await org.rest(`GET /v1/people?${query.join('&')}`);
  expect(overRest.body).toEqual(overTool.body);
  expect(overTool.body.total).toBe(overTool.body.people.length);
  return overTool.body.people.map((person: Record<string, number>) => person[field]);
}

test.each([
  ['PPL-031 mrr_gte and mrr_lte are inclusive bounds on mrr', 'mrr'],
  ['PPL-032 ltv_gte and ltv_lte are inclusive bounds on ltv', 'ltv'],
] as const)('%s, to the cent', async (_, field) => {
  const org = await orgWith([0, 1233, 1234, 1235, 2000]);
  expect(await within(org, field, { gte: 12.34 })).toEqual([12.34, 12.35, 20]);
  expect(await within(org, field, { lte: 12.34 })).toEqual([0, 12.33, 12.34]);
  expect(await within(org, field, { gte: 12.34, lte: 12.34 })).toEqual([12.34]);
  expect(await within(org, field, { gte: 12.33, lte: 20 })).toEqual([12.33, 12.34, 12.35, 20]);
  expect(await within(org, field, { gte: 20.01 })).toEqual([]);
  expect(await within(org, field, { gte: 13, lte: 12 })).toEqual([]);
  expect(await within(org, field, { gte: 0, lte: 0 })).toEqual([0]);
});

test('PPL-031 PPL-032 a bound between two cents lets neither slip through', async () => {
  const org = await orgWith([1233, 1234, 1235]);
  for (const field of ['mrr', 'ltv'] as const) {
    expect(await within(org, field, { gte: 12.341 })).toEqual([12.35]);
    expect(await within(org, field, { lte: 12.349 })).toEqual([12.33, 12.34]);
    expect(await within(org, field, { gte: 12.341, lte: 12.349 })).toEqual([]);
  }
});

test('PPL-031 PPL-032 bounds that binary fractions cannot hold are still inclusive', async () => {
  // 0.29, 1.1, 4.35, 8.2 and 1.15 times 100 are not whole in binary; 0.1 + 0.2 is not 0.3.
  const minor = [29, 30, 110, 115, 435, 820, 123_456_789_01];
  const org = await orgWith(minor);
  for (const field of ['mrr', 'ltv'] as const) {
    for (const amount of minor) {
      const bound = amount / 100;
      expect(await within(org, field, { gte: bound, lte: bound })).toEqual([bound]);
    }
    expect(await within(org, field, { gte: 0.1 + 0.2, lte: 0.1 + 0.2 })).toEqual([0.3]);
  }
});

test('PPL-031 PPL-032 in a currency without minor units the bounds are whole units', async () => {
  const org = await orgWith([99, 100, 101], 'JPY');
  for (const field of ['mrr', 'ltv'] as const) {
    expect(await within(org, field, {})).toEqual([99, 100, 101]);
    expect(await within(org, field, { gte: 100 })).toEqual([100, 101]);
    expect(await within(org, field, { lte: 100 })).toEqual([99, 100]);
    expect(await within(org, field, { gte: 100.5 })).toEqual([101]);
    expect(await within(org, field, { lte: 99.5 })).toEqual([99]);
  }
});

test('PPL-031 PPL-032 in a currency with three decimals the bounds reach the thousandth', async () => {
  const org = await orgWith([12_344, 12_345, 12_346], 'KWD');
  for (const field of ['mrr', 'ltv'] as const) {
    expect(await within(org, field, { gte: 12.345 })).toEqual([12.345, 12.346]);
    expect(await within(org, field, { lte: 12.345 })).toEqual([12.344, 12.345]);
  }
});

test('PPL-031 PPL-032 negative amounts, as refunds make them, are bounded too', async () => {
  const org = await orgWith([-1234, -1, 0]);
  for (const field of ['mrr', 'ltv'] as const) {
    expect(await within(org, field, { lte: -0.01 })).toEqual([-12.34, -0.01]);
    expect(await within(org, field, { gte: -12.34, lte: -12.34 })).toEqual([-12.34]);
    expect(await within(org, field, { gte: -12.335 })).toEqual([-0.01, 0]);
  }
});

test('PPL-031 PPL-032 a bound that is no number is rejected', async () => {
  const org = await orgWith([100]);
  for (const argument of ['mrr_gte', 'mrr_lte', 'ltv_gte', 'ltv_lte']) {
    for (const wrong of ['12.34', '', null, true, [1]]) {
      const { isError, body } = await org.tool('list_people', { [argument]: wrong });
      expect({ isError, at: body.errors[0].pointer }).toEqual({ isError: true, at: `/${argument}` });
    }
    for (const wrong of ['', 'many', '0x10', '1,5', 'NaN', 'Infinity']) {
      const { status } = await org.rest(`GET /v1/people?${argument}=${encodeURIComponent(wrong)}`);
      expect(status).toBe(400);
    }
  }
});
