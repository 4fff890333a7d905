import { expect, test } from 'vitest';
import { observe } from '../support/observe-person.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

/** Who a filter lists, asked over both faces; `total` must say as many. */
async function listed(org: TestOrg, filter: Record<string, string | number | boolean>): Promise<string[]> {
  const overTool = await org.tool('list_people', filter);
  expect(overTool.isError).toBe(false);
  const query = Object.entries(filter).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const overRest = await org.rest(`GET /v1/people?${query.join('&')}`);
  expect(overRest.body).toEqual(overTool.body);
  const { people, total } = overRest.body;
  expect(total).toBe(people.length);
  return people.map((person: { id: string }) => person.id).toSorted();
}

test('PPL-026 external_user_id is an exact match', async () => {
  const org = await world().newOrg();
  const ada = await org.person({ external_user_id: 'CRM-1' });
  await org.person({ external_user_id: 'CRM-10' });
  await org.person({ anonymous_id: 'CRM-2', email: 'crm-3@example.com' });
  expect(await listed(org, { external_user_id: 'CRM-1' })).toEqual([ada]);
  for (const other of ['CRM', 'crm-1', 'CRM-', 'CRM-1 ', 'CRM%', 'CRM-2', '']) {
    expect(await listed(org, { external_user_id: other })).toEqual([]);
  }
});

test('PPL-026 it is the external id the person has now that matches', async () => {
  const org = await world().newOrg();
  const ada = await org.person({ external_user_id: 'old' });
  await org.rest(`PUT /v1/people/${ada}/external-id`, { external_user_id: 'new' });
  expect(await listed(org, { external_user_id: 'new' })).toEqual([ada]);
  expect(await listed(org, { external_user_id: 'old' })).toEqual([]);
});

test('PPL-027 email matches the primary email exactly, the argument trimmed and lowercased', async () => {
  const org = await world().newOrg();
  const ada = await org.person({ email: ' Ada@Example.com ' });
  await org.person({ email: 'bada@example.com' });
  await org.person({ email: 'ada@example.com.au' });
  for (const sent of ['ada@example.com', '  ADA@example.COM\t', 'Ada@Example.com\n']) {
    expect(await listed(org, { email: sent })).toEqual([ada]);
  }
  for (const other of ['ada', '@example.com', 'ada@example_com', '%', '']) {
    expect(await listed(org, { email: other })).toEqual([]);
  }
});

test('PPL-028 email does not match a non-primary email', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'first@example.com' });
  const second = { person_id, identifier_type: 'email', identifier_value: 'second@example.com' };
  await org.tool('add_identifier', { ...second, is_contact_method: true });
  expect(await listed(org, { email: 'second@example.com' })).toEqual([]);
  expect(await listed(org, { email: 'first@example.com' })).toEqual([person_id]);
  await org.tool('add_identifier', { ...second, is_primary_for_type: true });
  expect(await listed(org, { email: 'second@example.com' })).toEqual([person_id]);
  expect(await listed(org, { email: 'first@example.com' })).toEqual([]);
});

test('PPL-029 identified: true lists people with a primary email, a first name or a last name', async () => {
  const org = await world().newOrg();
  const known = [
    await org.person({ email: 'ada@example.com' }),
    await org.person({ phone: '+15550001', first_name: 'Ada' }),
    await org.person({ phone: '+15550002', last_name: 'Ivers' }),
  ];
  const unknown = [
    await org.person({ phone: '+15550003' }),
    await org.person({ external_user_id: 'crm-1', payment_customer_id: 'cus-1', anonymous_id: 'a-1' }),
    await org.person({ phone: '+15550004', first_name: '  ', last_name: '' }),
  ];
  expect(await listed(org, { identified: true })).toEqual(known.toSorted());
  expect(await listed(org, { identified: false })).toEqual(unknown.toSorted());
  for (const wrong of ['true', 1, null]) {
    expect((await org.tool('list_people', { identified: wrong })).isError).toBe(true);
  }
});

test('PPL-033 created_after and created_before are inclusive, in any zone', async () => {
  const org = await world().newOrg();
  const days: string[] = [];
  for (const day of [1, 2, 3]) {
    const id = await org.person({ anonymous_id: `visitor ${day}` });
    await observe(world(), id, { created_at: `2026-01-0${day}T12:00:00.500Z` });
    days.push(id);
  }
  const [first, second, third] = days as [string, string, string];
  expect(await listed(org, { created_after: '2026-01-02T12:00:00.500Z' })).toEqual([second, third]);
  expect(await listed(org, { created_after: '2026-01-02T12:00:00.501Z' })).toEqual([third]);
  expect(await listed(org, { created_before: '2026-01-02T12:00:00.500Z' })).toEqual([first, second]);
  expect(await listed(org, { created_before: '2026-01-02T12:00:00.499Z' })).toEqual([first]);
  const sameMoment = '2026-01-02T17:30:00.500+05:30';
  expect(await listed(org, { created_after: sameMoment, created_before: sameMoment })).toEqual([second]);
  expect(await listed(org, { created_after: '2026-01-03T00:00:00Z', created_before: sameMoment })).toEqual(
    [],
  );
});

test('PPL-033 what is not an ISO 8601 timestamp is rejected', async () => {
  const org = await world().newOrg();
  for (const argument of ['created_after', 'created_before']) {
    for (const wrong of ['yesterday', '', '2026-02-30T00:00:00Z', '01/02/2026', 1_767_225_600]) {
      const { isError, body } = await org.tool('list_people', { [argument]: wrong });
      expect({ isError, at: body.errors[0].pointer }).toEqual({ isError: true, at: `/${argument}` });
    }
  }
});

test('PPL-021 arguments are ANDed', async () => {
  const org = await world().newOrg();
  const person = async (email: string, observed: Parameters<typeof observe>[2]) => {
    const id = await org.person({ email, first_name: 'Ada' });
    await observe(world(), id, observed);
    return id;
  };
  const wanted = { subscription_status: 'active', payment_processor: 'processor_a', mrr: 5000, ltv: 9000 };
  const both = await person('both@example.com', wanted);
  await person('status@example.com', { ...wanted, subscription_status: 'paused' });
  await person('processor@example.com', { ...wanted, payment_processor: 'processor_b' });
  await person('mrr@example.com', { ...wanted, mrr: 4999 });
  await person('ltv@example.com', { ...wanted, ltv: 9001 });
  const filter = {
    subscription_status: 'active',
    payment_processor: 'processor_a',
    mrr_gte: 50,
    ltv_lte: 90,
    identified: true,
  };
  expect(await listed(org, filter)).toEqual([both]);
  expect(await listed(org, { ...filter, email: 'both@example.com' })).toEqual([both]);
  expect(await listed(org, { ...filter, email: 'mrr@example.com' })).toEqual([]);
  expect(await listed(org, { ...filter, identified: false })).toEqual([]);
});
