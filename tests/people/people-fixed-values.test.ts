import { beforeAll, expect, test } from 'vitest';
import { observe } from '../support/observe-person.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const allowed = {
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
  sort: [
    'created_at',
    'mrr',
    'ltv',
    'first_name',
    'last_name',
    'primary_email',
    'last_opened_at',
    'last_clicked_at',
  ],
  order: ['asc', 'desc'],
};

/** For every value of the three fields one person that has it, and one person that has none of them. */
const holders = new Map<string, string>();
let org: TestOrg;
beforeAll(async () => {
  org = await world().newOrg();
  for (const field of ['subscription_status', 'payment_processor', 'health_band'] as const) {
    for (const value of allowed[field]) {
      const id = await org.person({ anonymous_id: `${field} ${value}` });
      await observe(world(), id, { [field]: value });
      holders.set(value, id);
    }
  }
  await org.person({ anonymous_id: 'none' });
});

test.each([
  ['PPL-009 PPL-023 subscription_status is one of nine values', 'subscription_status'],
  ['PPL-010 PPL-024 payment_processor is one of three values', 'payment_processor'],
  ['PPL-011 PPL-025 health_band is one of five values', 'health_band'],
] as const)('%s, each of which filters, and the database takes no other', async (_, field) => {
  for (const value of allowed[field]) {
    const id = holders.get(value)!;
    const { body } = await org.tool('list_people', { [field]: value });
    expect(body.people.map((person: { id: string }) => person.id)).toEqual([id]);
    expect(body.total).toBe(1);
    const { person } = (await org.tool('get_person', { person_id: id })).body;
    expect(person[field]).toBe(value);
  }
  const id = holders.get(allowed[field][0]!)!;
  await expect(observe(world(), id, { [field]: 'other' })).rejects.toThrow(/violates check constraint/);
});

test('PPL-023 PPL-024 PPL-025 a value that nobody has lists nobody', async () => {
  const empty = await world().newOrg();
  const someone = await empty.person({ email: 'ada@example.com' });
  await observe(world(), someone, { subscription_status: 'active' });
  for (const query of [
    'subscription_status=canceled',
    'payment_processor=processor_a',
    'health_band=power',
  ]) {
    const { body } = await empty.rest(`GET /v1/people?${query}`);
    expect(body).toMatchObject({ people: [], total: 0 });
  }
});

test.each(Object.entries(allowed))(
  'PPL-040 a %s outside the list is rejected with the valid values',
  async (argument, values) => {
    for (const wrong of ['bogus', '', values[0]!.toUpperCase(), ` ${values[0]}`]) {
      const { isError, text, body } = await org.tool('list_people', { [argument]: wrong });
      expect(isError).toBe(true);
      expect(body).toMatchObject({ code: 'invalid_request', status: 400 });
      expect(body.errors).toMatchObject([{ pointer: `/${argument}`, allowed: values }]);
      for (const value of values) expect(text).toContain(value);
    }
    const overRest = await org.rest(`GET /v1/people?${argument}=bogus`);
    expect(overRest).toMatchObject({ status: 400, body: { errors: [{ allowed: values }] } });
    expect(overRest.body).not.toHaveProperty('people');
    expect((await org.tool('list_people', { [argument]: [values[0]] })).isError).toBe(true);
  },
);
