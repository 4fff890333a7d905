import { expect, test } from 'vitest';
import { contentsOf } from '../support/org-contents.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const email = 'ann@example.com';

test('IDN-024 over tools an external id is attached to a person who has none', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email });
  await org.tool('identify_person', { email, external_user_id: 'customer-1' });
  expect(await externalIds(org, person_id)).toEqual({ record: 'customer-1', all: ['customer-1 primary'] });
});

test('IDN-025 over tools an external id never replaces the one the person has', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email, external_user_id: 'customer-1' });
  const answer = await org.tool('identify_person', { email, external_user_id: 'customer-2' });
  expect(answer.body).toEqual({ person_id, created: false });
  expect(await externalIds(org, person_id)).toEqual({
    record: 'customer-1',
    all: ['customer-1 primary', 'customer-2'],
  });
});

test('IDN-026 not even one that is still the email address of the person', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email, external_user_id: email });
  await org.tool('identify_person', { email, external_user_id: 'customer-1' });
  expect(await externalIds(org, person_id)).toEqual({
    record: email,
    all: [`${email} primary`, 'customer-1'],
  });
});

test('IDN-025 a merge does not replace it either', async () => {
  const org = await world().newOrg();
  await org.person({ payment_customer_id: 'cus_1', external_user_id: 'customer-2' });
  const person_id = await org.person({ email, external_user_id: 'customer-1' });
  await org.tool('identify_person', { external_user_id: 'customer-1', payment_customer_id: 'cus_1' });
  expect(await externalIds(org, person_id)).toEqual({
    record: 'customer-1',
    all: ['customer-2', 'customer-1 primary'],
  });
});

test('IDN-027 changing an external id takes the REST API with an API key: there is no tool for it', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email, external_user_id: 'customer-1' });
  await org.tool('identify_person', { email, external_user_id: 'customer-2' });
  expect((await externalIds(org, person_id)).record).toBe('customer-1');
  expect(await org.toolNames()).not.toContain('replace_external_id');
  const called = await org.rpc('tools/call', {
    name: 'replace_external_id',
    arguments: { person_id, external_user_id: 'customer-3' },
  });
  expect(called).toHaveProperty('error');
  expect((await externalIds(org, person_id)).record).toBe('customer-1');

  const rest = await org.rest(`PUT /v1/people/${person_id}/external-id`, { external_user_id: 'customer-3' });
  expect(rest).toMatchObject({ status: 200, body: { person_id, external_user_id: 'customer-3' } });
  expect((await externalIds(org, person_id)).record).toBe('customer-3');
});

test('a replaced external id still finds the person, and gives way to one it already carried', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email, external_user_id: 'old' });
  const before = await listed(org, person_id);
  await org.rest(`PUT /v1/people/${person_id}/external-id`, { external_user_id: 'new' });
  expect(await externalIds(org, person_id)).toEqual({ record: 'new', all: ['old', 'new primary'] });
  const again = await org.tool('identify_person', { external_user_id: 'old' });
  expect(again.body).toEqual({ person_id, created: false });

  await org.rest(`PUT /v1/people/${person_id}/external-id`, { external_user_id: ' old ' });
  expect(await externalIds(org, person_id)).toEqual({ record: 'old', all: ['old primary', 'new'] });
  expect((await listed(org, person_id)).map(({ id }) => id)).toEqual(
    expect.arrayContaining(before.map(({ id }) => id)),
  );
});

test('a person without an external id is given one, and the same one again changes nothing', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email });
  const route = `PUT /v1/people/${person_id}/external-id`;
  expect((await org.rest(route, { external_user_id: 'customer-1' })).status).toBe(200);
  const before = await contentsOf(world().admin, org);
  expect((await org.rest(route, { external_user_id: 'customer-1' })).status).toBe(200);
  expect(await contentsOf(world().admin, org)).toEqual(before);
  expect((await externalIds(org, person_id)).record).toBe('customer-1');
});

test('an external id is not taken from another person, nor set with a key that may not write', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email, external_user_id: 'customer-1' });
  await org.person({ external_user_id: 'customer-2' });
  const reader = await world().newKey(org, ['people.read', 'people.delete']);
  const stranger = await world().newOrg();
  const before = await contentsOf(world().admin, org);
  const route = `PUT /v1/people/${person_id}/external-id`;
  expect(await org.rest(route, { external_user_id: 'customer-2' })).toMatchObject({
    status: 409,
    body: { code: 'identifier_taken' },
  });
  for (const refused of [
    {},
    { external_user_id: ' ' },
    { external_user_id: 7 },
    { external_user_id: null },
  ]) {
    expect((await org.rest(route, refused)).status).toBe(400);
  }
  expect((await reader.rest(route, { external_user_id: 'customer-3' })).status).toBe(403);
  expect((await stranger.rest(route, { external_user_id: 'customer-3' })).status).toBe(404);
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

interface Listed {
  id: string;
  identifier_type: string;
  identifier_value: string;
  is_primary_for_type: boolean;
}

const listed = async (org: TestOrg, person_id: string): Promise<Listed[]> =>
  (await org.tool('list_identifiers', { person_id })).body.identifiers;

/** What the record says, and the external ids among the identifiers. */
async function externalIds(org: TestOrg, person_id: string): Promise<{ record: string; all: string[] }> {
  const { body } = await org.rest(`GET /v1/people/${person_id}`);
  const all = (await listed(org, person_id))
    .filter((one) => one.identifier_type === 'org_assigned_user_id')
    .map((one) => `${one.identifier_value}${one.is_primary_for_type ? ' primary' : ''}`);
  return { record: body.person.external_user_id, all };
}
