import { expect, test } from 'vitest';
import { contentsOf } from '../support/org-contents.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('IDN-001 an email is trimmed and lowercased before matching and storing', async () => {
  const org = await world().newOrg();
  const first = await org.rest('POST /v1/people/identify', { email: '  Ann.Example@Example.COM ' });
  expect(first.body.created).toBe(true);
  const again = await org.tool('identify_person', { email: 'ANN.example@example.com\t' });
  expect(again.body).toEqual({ person_id: first.body.person_id, created: false });
  expect(await identifiersOf(org, first.body.person_id)).toEqual(['email ann.example@example.com']);
  expect(await personOf(org, first.body.person_id)).toMatchObject({
    primary_email: 'ann.example@example.com',
  });
});

test('IDN-002 a phone is trimmed before matching and storing', async () => {
  const org = await world().newOrg();
  const first = await org.tool('identify_person', { phone: '  +1 555 0100 ' });
  expect(first.body.created).toBe(true);
  const again = await org.rest('POST /v1/people/identify', { phone: '+1 555 0100  ' });
  expect(again.body).toEqual({ person_id: first.body.person_id, created: false });
  expect(await identifiersOf(org, first.body.person_id)).toEqual(['phone +1 555 0100']);
  expect(await personOf(org, first.body.person_id)).toMatchObject({ primary_phone: '+1 555 0100' });
});

test.each([
  ['IDN-003', 'email', 'email', 'ann@example.com'],
  ['IDN-004', 'phone', 'phone', '+15550100'],
  ['IDN-005', 'external_user_id', 'org_assigned_user_id', 'customer-1'],
  ['IDN-006', 'payment_customer_id', 'payment_customer_id', 'cus_1'],
  ['IDN-007', 'anonymous_id', 'anonymous_id', 'visitor-1'],
])('%s %s is accepted as the only identifier', async (_, argument, type, value) => {
  const [rest, tools] = [await world().newOrg(), await world().newOrg()];
  const overRest = await rest.rest('POST /v1/people/identify', { [argument]: value });
  expect(overRest).toMatchObject({ status: 200, body: { created: true } });
  expect(await identifiersOf(rest, overRest.body.person_id)).toEqual([`${type} ${value}`]);
  const overTools = await tools.tool('identify_person', { [argument]: value });
  expect(overTools).toMatchObject({ isError: false, body: { created: true } });
  expect(await identifiersOf(tools, overTools.body.person_id)).toEqual([`${type} ${value}`]);
});

test('IDN-008 without any of the five identifiers it is refused, names or not, and nobody is created', async () => {
  const org = await world().newOrg();
  const before = await contentsOf(world().admin, org);
  for (const sent of [{}, { first_name: 'Ann', last_name: 'Example' }, { custom_properties: {} }]) {
    const rest = await org.rest('POST /v1/people/identify', sent);
    expect(rest).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(rest.body.detail).toContain(
      'email, phone, external_user_id, payment_customer_id and anonymous_id',
    );
    const tool = await org.tool('identify_person', sent);
    expect(tool).toMatchObject({ isError: true, body: { status: 400, code: 'invalid_request' } });
  }
  for (const blank of [{ email: ' ' }, { phone: '' }, { external_user_id: '  ' }, { anonymous_id: '' }]) {
    expect((await org.tool('identify_person', { ...blank, first_name: 'Ann' })).isError).toBe(true);
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('IDN-009 the names sent become the names of the person that is created', async () => {
  const org = await world().newOrg();
  const names = { first_name: 'Ann', last_name: 'Example' };
  const rest = await org.rest('POST /v1/people/identify', { email: 'ann@example.com', ...names });
  expect(await personOf(org, rest.body.person_id)).toMatchObject(names);
  const tool = await org.tool('identify_person', { anonymous_id: 'visitor-1', first_name: 'Ben' });
  expect(await personOf(org, tool.body.person_id)).toMatchObject({ first_name: 'Ben', last_name: null });
});

test('IDN-011 IDN-012 IDN-013 it answers person_id and created, which is false once any identifier matched', async () => {
  const org = await world().newOrg();
  const made = await org.tool('identify_person', { email: 'ann@example.com', phone: '+15550100' });
  expect(made.body).toEqual({ person_id: expect.stringMatching(/^[0-9a-f-]{36}$/), created: true });
  const { person_id } = made.body;
  const known = { person_id, created: false };
  // Neither the first nor every identifier has to be known.
  const strangers = { external_user_id: 'customer-1', anonymous_id: 'visitor-1' };
  expect((await org.tool('identify_person', { ...strangers, phone: '+15550100' })).body).toEqual(known);
  const rest = await org.rest('POST /v1/people/identify', { email: 'ann@example.com' });
  expect(rest.body).toEqual(known);
  const other = await org.rest('POST /v1/people/identify', { email: 'ben@example.com' });
  expect(other.body.created).toBe(true);
  expect(other.body.person_id).not.toBe(person_id);
  // Another organization's people match nothing.
  const elsewhere = await world().newOrg();
  const there = await elsewhere.tool('identify_person', { email: 'ann@example.com' });
  expect(there.body.created).toBe(true);
  expect(there.body.person_id).not.toBe(person_id);
});

test('IDN-014 the same call again answers the same person and changes nothing', async () => {
  const org = await world().newOrg();
  const call = {
    email: 'ann@example.com',
    phone: '+15550100',
    external_user_id: 'customer-1',
    payment_customer_id: 'cus_1',
    anonymous_id: 'visitor-1',
    first_name: 'Ann',
  };
  const first = await org.tool('identify_person', call);
  const before = await contentsOf(world().admin, org);
  expect(before['people']).toHaveLength(1);
  expect(before['identifiers']).toHaveLength(5);
  const again = { person_id: first.body.person_id, created: false };
  expect((await org.tool('identify_person', call)).body).toEqual(again);
  expect((await org.rest('POST /v1/people/identify', call)).body).toEqual(again);
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('IDN-014 the same call many times at once makes one person', async () => {
  const org = await world().newOrg();
  const call = { email: 'ann@example.com', phone: '+15550100', anonymous_id: 'visitor-1' };
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => org.rest('POST /v1/people/identify', call)),
  );
  expect(new Set(answers.map(({ body }) => body.person_id)).size).toBe(1);
  expect(answers.filter(({ body }) => body.created)).toHaveLength(1);
  const { people, identifiers } = await contentsOf(world().admin, org);
  expect(people).toHaveLength(1);
  expect(identifiers).toHaveLength(3);
});

async function personOf(org: TestOrg, person_id: string): Promise<unknown> {
  return (await org.tool('get_person', { person_id })).body.person;
}

async function identifiersOf(org: TestOrg, person_id: string): Promise<string[]> {
  const { body } = await org.tool('list_identifiers', { person_id });
  return body.identifiers.map(
    (one: { identifier_type: string; identifier_value: string }) =>
      `${one.identifier_type} ${one.identifier_value}`,
  );
}
