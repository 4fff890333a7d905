import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { operations } from '../../src/catalogue/operations.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

/** What the payment processor would have told, with everything it left out empty. */
async function mirror(org: TestOrg, person: string, told: Record<string, unknown> = {}): Promise<string> {
  const row = {
    org_id: org.id,
    id: randomUUID(),
    person_id: person,
    processor: 'processor_a',
    processor_subscription_id: randomUUID(),
    status: 'active',
    created_at: '2026-01-01T00:00:00.000Z',
    ...told,
  };
  const places = Object.keys(row).map((_, at) => `$${at + 1}`);
  await world().admin.query(
    `insert into subscriptions (${Object.keys(row).join(', ')}) values (${places.join(', ')})`,
    Object.values(row),
  );
  return row.id;
}

const list = async (org: TestOrg, person_id: string) => {
  const overTool = await org.tool('list_subscriptions', { person_id });
  expect((await org.rest(`GET /v1/people/${person_id}/subscriptions`)).body).toEqual(overTool.body);
  expect(Object.keys(overTool.body)).toEqual(['subscriptions']);
  return overTool.body.subscriptions;
};

test('SUB-001 a subscription has its eleven fields, the cost in major units', async () => {
  const org = await world().newOrg();
  const person = await org.person({ email: 'ada@example.com' });
  const dates = {
    started_at: '2025-11-01T00:00:00.000Z',
    canceled_at: '2026-02-01T00:00:00.000Z',
    current_period_start: '2026-01-01T00:00:00.000Z',
    current_period_end: '2026-02-01T00:00:00.000Z',
    trial_start: '2025-10-01T00:00:00.000Z',
    trial_end: '2025-11-01T00:00:00.000Z',
    created_at: '2025-10-01T00:00:00.123Z',
  };
  const id = await mirror(org, person, {
    status: 'canceled',
    item_names: ['Team plan', 'Extra seats'],
    cost: 4999,
    ...dates,
  });
  expect(await list(org, person)).toEqual([
    { id, status: 'canceled', item_names: ['Team plan', 'Extra seats'], cost: 49.99, ...dates },
  ]);
});

test('SUB-001 the fields are there also when the processor told nothing, and yen have no minor unit', async () => {
  const org = await world().newOrg({ currency: 'JPY' });
  const person = await org.person({ email: 'ada@example.com' });
  const id = await mirror(org, person, { cost: 4999 });
  expect(await list(org, person)).toEqual([
    {
      id,
      status: 'active',
      item_names: [],
      cost: 4999,
      started_at: null,
      canceled_at: null,
      current_period_start: null,
      current_period_end: null,
      trial_start: null,
      trial_end: null,
      created_at: '2026-01-01T00:00:00.000Z',
    },
  ]);
});

test('SUB-002 nothing but a read is offered for subscriptions, on either face', async () => {
  const catalogue: readonly AnyOperation[] = operations;
  const named = catalogue.filter(({ name, faces }) => /subscription/.test(name + faces.rest.join(' ')));
  expect(named.map(({ name, effect }) => [name, effect])).toEqual([['list_subscriptions', 'read']]);
  const org = await world().newOrg();
  expect((await org.toolNames()).filter((name) => name.includes('subscription'))).toEqual([
    'list_subscriptions',
  ]);
});

test('SUB-002 no call creates, edits or removes a subscription', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ada@example.com' });
  const id = await mirror(org, person_id, { status: 'past_due', cost: 100 });
  const stored = async () => (await world().admin.query('select * from subscriptions')).rows;
  const before = await stored();
  const wanted = { status: 'active', cost: 0, item_names: ['Free'] };
  for (const path of [`people/${person_id}/subscriptions`, 'subscriptions']) {
    for (const route of [
      `POST /v1/${path}`,
      ...['PUT', 'PATCH', 'DELETE'].map((m) => `${m} /v1/${path}/${id}`),
    ]) {
      const { status, body } = await org.rest(route, wanted);
      expect({ route, status, code: body.code }).toEqual({ route, status: 404, code: 'route_not_found' });
    }
  }
  for (const field of ['subscription_status', 'subscriptions', 'mrr', 'ltv']) {
    const refused = await org.tool('identify_person', { email: 'ada@example.com', [field]: 'active' });
    expect(refused).toMatchObject({ isError: true, body: { errors: [{ pointer: `/${field}` }] } });
  }
  expect(await stored()).toEqual(before);
});

const statuses = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'canceled',
  'unpaid',
  'paused',
  'inactive',
];

test('SUB-003 a status is one of nine, and the mirror takes no other', async () => {
  const org = await world().newOrg();
  const person = await org.person({ email: 'ada@example.com' });
  for (const status of statuses) await mirror(org, person, { status });
  const listed = (await list(org, person)).map(({ status }: { status: string }) => status);
  expect(listed.toSorted()).toEqual(statuses.toSorted());
  for (const status of ['ended', '', 'ACTIVE', null]) {
    await expect(mirror(org, person, { status })).rejects.toThrow(/violates/);
  }
  expect(await list(org, person)).toHaveLength(9);
});

test('SUB-004 a person’s subscriptions are listed newest first, and nobody else’s', async () => {
  const org = await world().newOrg();
  const person = await org.person({ email: 'ada@example.com' });
  const other = await org.person({ email: 'other@example.com' });
  expect(await list(org, person)).toEqual([]);
  const at = (day: number) => ({ created_at: `2026-01-0${day}T00:00:00.000Z` });
  const middle = await mirror(org, person, { ...at(2), started_at: '2020-01-01T00:00:00.000Z' });
  const newest = await mirror(org, person, at(3));
  const oldest = await mirror(org, person, { ...at(1), started_at: '2026-06-01T00:00:00.000Z' });
  await mirror(org, other, at(4));
  const ids = (await list(org, person)).map(({ id }: { id: string }) => id);
  expect(ids).toEqual([newest, middle, oldest]);
});

test('SUB-004 list_subscriptions needs a person of the organization', async () => {
  const org = await world().newOrg();
  for (const args of [{}, { person_id: 'ada@example.com' }]) {
    expect(await org.tool('list_subscriptions', args)).toMatchObject({
      isError: true,
      body: { code: 'invalid_request', errors: [{ pointer: '/person_id' }] },
    });
  }
  const unknown = await org.rest(`GET /v1/people/${randomUUID()}/subscriptions`);
  expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } });
});
