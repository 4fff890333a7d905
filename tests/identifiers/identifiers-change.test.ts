import { expect, test } from 'vitest';
import { contentsOf } from '../support/org-contents.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('IDF-026 update_identifier with neither a value nor a flag is refused', async () => {
  const { org, person_id, email } = await annWithTwoEmails();
  const before = await contentsOf(world().admin, org);
  const rest = await org.rest(`PATCH /v1/people/${person_id}/identifiers/${email.id}`, {});
  expect(rest).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  expect(rest.body.detail).toContain('identifier_value, is_contact_method and is_primary_for_type');
  const ids = { person_id, identifier_id: email.id };
  for (const refused of [
    { ...ids },
    { person_id, is_contact_method: true },
    { ...ids, identifier_value: '' },
  ]) {
    expect((await org.tool('update_identifier', refused)).isError).toBe(true);
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('IDF-026 IDF-027 each of value and flags may be sent alone, and changes that alone', async () => {
  const { org, person_id, email } = await annWithTwoEmails();
  const route = `PATCH /v1/people/${person_id}/identifiers/${email.id}`;
  const value = await org.rest(route, { identifier_value: ' Anna@Example.com ' });
  let now = { ...email, identifier_value: 'anna@example.com' };
  expect(value).toMatchObject({ status: 200, body: { identifier: now } });
  expect((await identifiersOf(org, person_id))[0]).toEqual(now);

  const contact = await org.tool('update_identifier', {
    person_id,
    identifier_id: email.id,
    is_contact_method: false,
  });
  now = { ...now, is_contact_method: false };
  expect(contact.body).toEqual({ identifier: now });

  const primary = await org.rest(route, { is_primary_for_type: false });
  now = { ...now, is_primary_for_type: false };
  expect(primary.body).toEqual({ identifier: now });
  expect((await identifiersOf(org, person_id))[0]).toEqual(now);
  const { body } = await org.tool('get_person', { person_id });
  expect(body.person.primary_email).toBeNull();
});

test('IDF-028 the type cannot be changed', async () => {
  const { org, person_id, email } = await annWithTwoEmails();
  const before = await contentsOf(world().admin, org);
  const sent = { identifier_type: 'chat', is_contact_method: false };
  const rest = await org.rest(`PATCH /v1/people/${person_id}/identifiers/${email.id}`, sent);
  expect(rest.status).toBe(400);
  const tool = await org.tool('update_identifier', { person_id, identifier_id: email.id, ...sent });
  expect(tool.isError).toBe(true);
  expect(await contentsOf(world().admin, org)).toEqual(before);
  await org.tool('update_identifier', { person_id, identifier_id: email.id, identifier_value: '+15550199' });
  expect((await identifiersOf(org, person_id))[0]).toMatchObject({ identifier_type: 'email' });
});

test('IDF-029 IDF-030 a new primary demotes the previous one of its type of that person, and nothing else', async () => {
  const { org, person_id, second } = await annWithTwoEmails();
  const other = await org.person({ email: 'ben@example.com' });
  const sent = { person_id, identifier_id: second.id, is_primary_for_type: true };
  const { body } = await org.tool('update_identifier', sent);
  expect(body.identifier).toMatchObject({ id: second.id, is_primary_for_type: true });
  expect(await identifiersOf(org, person_id)).toMatchObject([
    { identifier_value: 'ann@example.com', is_primary_for_type: false },
    { identifier_value: '+15550100', is_primary_for_type: true },
    { identifier_value: 'second@example.com', is_primary_for_type: true },
  ]);
  expect(await identifiersOf(org, other)).toMatchObject([{ is_primary_for_type: true }]);
  const full = await org.tool('get_person', { person_id });
  expect(full.body.person).toMatchObject({
    primary_email: 'second@example.com',
    primary_phone: '+15550100',
  });
});

test('a value that another person holds is not taken over', async () => {
  const { org, person_id, email } = await annWithTwoEmails();
  await org.person({ email: 'ben@example.com' });
  const before = await contentsOf(world().admin, org);
  const sent = { identifier_value: 'Ben@example.com' };
  const rest = await org.rest(`PATCH /v1/people/${person_id}/identifiers/${email.id}`, sent);
  expect(rest).toMatchObject({ status: 409, body: { code: 'identifier_taken' } });
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('IDF-031 remove_identifier deletes that identifier only', async () => {
  const { org, person_id, email, phone, second } = await annWithTwoEmails();
  const tool = await org.tool('remove_identifier', { person_id, identifier_id: second.id });
  expect(tool.body).toEqual({ removed: true, identifier_id: second.id });
  expect(await identifiersOf(org, person_id)).toEqual([email, phone]);

  // The last ones too: the person stays without any.
  for (const { id } of [email, phone]) {
    const rest = await org.rest(`DELETE /v1/people/${person_id}/identifiers/${id}`);
    expect(rest).toMatchObject({ status: 200, body: { removed: true, identifier_id: id } });
  }
  expect(await identifiersOf(org, person_id)).toEqual([]);
  const { body } = await org.tool('get_person', { person_id });
  expect(body.person).toMatchObject({ id: person_id, primary_email: null, primary_phone: null });
  expect((await org.tool('identify_person', { email: 'ann@example.com' })).body.created).toBe(true);
});

test('IDF-032 an identifier that is not that person’s is not found', async () => {
  const { org, person_id } = await annWithTwoEmails();
  const other = await org.person({ email: 'ben@example.com' });
  const stranger = await annWithTwoEmails();
  const unknown = '0190c0de-0000-7000-8000-000000000001';
  const [ofOther] = await identifiersOf(org, other);
  const before = await contentsOf(world().admin, org);
  const elsewhere = await contentsOf(world().admin, stranger.org);
  for (const id of [ofOther!.id, stranger.email.id, unknown]) {
    const path = `/v1/people/${person_id}/identifiers/${id}`;
    const ids = { person_id, identifier_id: id };
    expect((await org.rest(`PATCH ${path}`, { is_contact_method: false })).status).toBe(404);
    expect((await org.rest(`DELETE ${path}`)).status).toBe(404);
    for (const refused of [
      await org.tool('update_identifier', { ...ids, identifier_value: 'x@example.com' }),
      await org.tool('remove_identifier', ids),
    ]) {
      expect(refused).toMatchObject({ isError: true, body: { status: 404, code: 'not_found' } });
    }
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
  expect(await contentsOf(world().admin, stranger.org)).toEqual(elsewhere);
});

interface Listed {
  id: string;
  identifier_value: string;
  is_contact_method: boolean;
  is_primary_for_type: boolean;
}

const identifiersOf = async (org: TestOrg, person_id: string): Promise<Listed[]> =>
  (await org.tool('list_identifiers', { person_id })).body.identifiers;

async function annWithTwoEmails() {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ann@example.com', phone: '+15550100' });
  await org.tool('add_identifier', {
    person_id,
    identifier_type: 'email',
    identifier_value: 'second@example.com',
  });
  const [email, phone, second] = await identifiersOf(org, person_id);
  return { org, person_id, email: email!, phone: phone!, second: second! };
}
