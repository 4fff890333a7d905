import { expect, test } from 'vitest';
import { contentsOf } from '../support/org-contents.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('IDF-018 add_identifier takes the person, type, value and both flags, and the identifier then shows', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ anonymous_id: 'visitor-1' });
  const sent = {
    identifier_type: 'email',
    identifier_value: 'ann@example.com',
    is_contact_method: true,
    is_primary_for_type: true,
  };
  expect((await org.tool('add_identifier', { person_id, ...sent })).isError).toBe(false);
  const other = { ...sent, identifier_value: 'other@example.com', is_primary_for_type: false };
  expect((await org.rest(`POST /v1/people/${person_id}/identifiers`, other)).status).toBe(200);
  expect(await identifiersOf(org, person_id)).toEqual([
    expect.objectContaining({ identifier_type: 'anonymous_id' }),
    expect.objectContaining(sent),
    expect.objectContaining(other),
  ]);
  const { body } = await org.tool('get_person', { person_id });
  expect(body.person).toMatchObject({
    primary_email: 'ann@example.com',
    primary_contact_method: 'email',
    contact_info: {
      primary: { type: 'email', value: 'ann@example.com' },
      all: [{ value: 'ann@example.com' }, { value: 'other@example.com' }],
    },
  });
});

test('IDF-018 a value, a type or a person left out is refused, and nothing is written', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ann@example.com' });
  const before = await contentsOf(world().admin, org);
  const whole = { person_id, identifier_type: 'chat', identifier_value: 'chat-1' };
  const wrong = [
    { ...whole, person_id: undefined },
    { ...whole, identifier_type: undefined },
    { ...whole, identifier_value: undefined },
    { ...whole, identifier_value: '   ' },
    { ...whole, identifier_value: 7 },
    { ...whole, is_contact_method: 'true' },
    { ...whole, is_primary_for_type: 1 },
    { ...whole, primary: true },
  ];
  for (const sent of wrong) expect((await org.tool('add_identifier', sent)).isError).toBe(true);
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('IDF-019 IDF-020 both flags are false when left out', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ anonymous_id: 'visitor-1' });
  const sent = { identifier_type: 'email', identifier_value: 'ann@example.com' };
  const tool = await org.tool('add_identifier', { person_id, ...sent });
  expect(tool.body.is_primary).toBe(false);
  await org.rest(`POST /v1/people/${person_id}/identifiers`, { ...sent, identifier_value: 'b@example.com' });
  const [, ...added] = await identifiersOf(org, person_id);
  expect(added).toHaveLength(2);
  for (const one of added) {
    expect(one).toMatchObject({ is_contact_method: false, is_primary_for_type: false });
  }
  const { body } = await org.tool('get_person', { person_id });
  expect(body.person).toMatchObject({ primary_email: null, contact_info: { primary: null, all: [] } });
});

test('IDF-021 an email is lowercased, and other values are kept as written', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ anonymous_id: 'visitor-1' });
  const add = (identifier_type: string, identifier_value: string) =>
    org.tool('add_identifier', { person_id, identifier_type, identifier_value });
  await add('email', ' Ann.EXAMPLE@Example.com ');
  await add('chat', 'MixedCase');
  expect(await identifiersOf(org, person_id)).toMatchObject([
    {},
    { identifier_value: 'ann.example@example.com' },
    { identifier_value: 'MixedCase' },
  ]);
  expect((await add('email', 'ANN.example@EXAMPLE.com')).body.action).toBe('unchanged');
  expect((await org.tool('identify_person', { email: 'ann.example@example.com' })).body).toEqual({
    person_id,
    created: false,
  });
});

test('IDF-022 IDF-024 the result carries its eight fields, and no conflict for a value nobody holds', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ann@example.com' });
  const sent = { identifier_type: 'phone', identifier_value: '+15550100', is_primary_for_type: true };
  const added = await org.tool('add_identifier', { person_id, ...sent });
  expect(added.body).toEqual({
    action: 'added',
    is_primary: true,
    was_primary_updated: false,
    details: expect.stringMatching(/\w+/),
    has_conflict: false,
    existing_identifier_id: null,
    existing_org_user_id: null,
    new_org_user_id: person_id,
  });
  const [, phone] = await identifiersOf(org, person_id);
  const again = await org.rest(`POST /v1/people/${person_id}/identifiers`, sent);
  expect(again.body).toEqual({
    action: 'unchanged',
    is_primary: true,
    was_primary_updated: false,
    details: expect.stringMatching(/\w+/),
    has_conflict: false,
    existing_identifier_id: phone!.id,
    existing_org_user_id: person_id,
    new_org_user_id: null,
  });
  expect(await identifiersOf(org, person_id)).toHaveLength(2);
});

test('IDF-023 a value of another person is a conflict that names the holder, and nothing is written', async () => {
  const org = await world().newOrg();
  const holder = await org.person({ email: 'ann@example.com' });
  const person_id = await org.person({ email: 'ben@example.com' });
  const [held] = await identifiersOf(org, holder);
  const before = await contentsOf(world().admin, org);
  const sent = { identifier_type: 'email', identifier_value: 'Ann@example.com', is_primary_for_type: true };
  const tool = await org.tool('add_identifier', { person_id, ...sent });
  const rest = await org.rest(`POST /v1/people/${person_id}/identifiers`, sent);
  for (const { body } of [tool, rest]) {
    expect(body).toMatchObject({
      action: 'conflict',
      has_conflict: true,
      was_primary_updated: false,
      existing_org_user_id: holder,
      existing_identifier_id: held!.id,
      new_org_user_id: null,
    });
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test.each(['full_name', 'chat_channel'])('two people may share a %s without a conflict', async (type) => {
  const org = await world().newOrg();
  const people = [await org.person({ email: 'ann@example.com' }), await org.person({ phone: '+15550100' })];
  for (const person_id of people) {
    const sent = { person_id, identifier_type: type, identifier_value: 'Shared', is_primary_for_type: true };
    expect((await org.tool('add_identifier', sent)).body).toMatchObject({
      action: 'added',
      has_conflict: false,
    });
    expect(await identifiersOf(org, person_id)).toHaveLength(2);
  }
});

test('IDF-025 a new primary leaves exactly one primary of its type, the new one', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'old@example.com', phone: '+15550100' });
  const sent = { identifier_type: 'email', identifier_value: 'new@example.com', is_primary_for_type: true };
  const { body } = await org.rest(`POST /v1/people/${person_id}/identifiers`, sent);
  expect(body).toMatchObject({ action: 'added', is_primary: true, was_primary_updated: true });
  expect(await primariesOf(org, person_id)).toEqual(['+15550100', 'new@example.com']);
  // The same for one the person has already.
  const back = await org.tool('add_identifier', { person_id, ...sent, identifier_value: 'old@example.com' });
  expect(back.body).toMatchObject({ action: 'updated', is_primary: true, was_primary_updated: true });
  expect(await primariesOf(org, person_id)).toEqual(['+15550100', 'old@example.com']);
  const full = await org.tool('get_person', { person_id });
  expect(full.body.person.primary_email).toBe('old@example.com');
});

interface Listed {
  id: string;
  identifier_value: string;
  is_primary_for_type: boolean;
}

const identifiersOf = async (org: TestOrg, person_id: string): Promise<Listed[]> =>
  (await org.tool('list_identifiers', { person_id })).body.identifiers;

const primariesOf = async (org: TestOrg, person_id: string): Promise<string[]> =>
  (await identifiersOf(org, person_id))
    .filter((one) => one.is_primary_for_type)
    .map((one) => one.identifier_value)
    .toSorted();
