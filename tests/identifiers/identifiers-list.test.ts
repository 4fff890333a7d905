import { expect, test } from 'vitest';
import { contentsOf } from '../support/org-contents.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const types = [
  ['IDF-005', 'email', 'ann@example.com'],
  ['IDF-006', 'phone', '+15550100'],
  ['IDF-007', 'user_id', 'user-1'],
  ['IDF-008', 'org_assigned_user_id', 'customer-1'],
  ['IDF-009', 'payment_customer_id', 'cus_1'],
  ['IDF-010', 'anonymous_id', 'visitor-1'],
  ['IDF-011', 'chat', 'chat-1'],
  ['IDF-012', 'chat_user_id', 'chatter-1'],
  ['IDF-013', 'chat_channel', 'channel-1'],
  ['IDF-014', 'messenger', 'messenger-1'],
  ['IDF-015', 'full_name', 'Ann Example'],
] as const;

test.each(types)('%s %s is a valid identifier_type', async (_, identifier_type, identifier_value) => {
  const org = await world().newOrg();
  const person_id = await org.person({ external_user_id: 'the person' });
  const sent = { identifier_type, identifier_value };
  const tool = await org.tool('add_identifier', { person_id, ...sent });
  expect(tool).toMatchObject({ isError: false, body: { action: 'added' } });
  const rest = await org.rest(`POST /v1/people/${person_id}/identifiers`, {
    ...sent,
    identifier_value: `${identifier_value}2`,
  });
  expect(rest).toMatchObject({ status: 200, body: { action: 'added' } });
  const { body } = await org.tool('list_identifiers', { person_id });
  expect(body.identifiers).toContainEqual(expect.objectContaining(sent));
  expect(body.identifiers).toHaveLength(3);
});

test('IDF-016 any other identifier_type is rejected with the valid values', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ann@example.com' });
  const before = await contentsOf(world().admin, org);
  for (const identifier_type of ['fax', 'Email', 'external_user_id', '', null, 7]) {
    const sent = { identifier_type, identifier_value: 'x' };
    const rest = await org.rest(`POST /v1/people/${person_id}/identifiers`, sent);
    const tool = await org.tool('add_identifier', { person_id, ...sent });
    expect(rest.status).toBe(400);
    expect(tool.isError).toBe(true);
    for (const { body } of [rest, tool]) {
      expect(body.errors).toEqual([
        expect.objectContaining({ pointer: '/identifier_type', allowed: types.map(([, type]) => type) }),
      ]);
    }
    for (const [, type] of types) expect(tool.text).toContain(type);
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('IDF-001 an identifier has exactly its seven fields', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ann@example.com' });
  const expected = {
    id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    identifier_type: 'email',
    identifier_value: 'ann@example.com',
    is_contact_method: true,
    is_primary_for_type: true,
    metadata: {},
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  };
  const tool = await org.tool('list_identifiers', { person_id });
  expect(tool.body).toEqual({ identifiers: [expected] });
  await world().admin.query('update identifiers set metadata = $1 where org_id = $2', [
    { source: 'form' },
    org.id,
  ]);
  const rest = await org.rest(`GET /v1/people/${person_id}/identifiers`);
  expect(rest.body).toEqual({ identifiers: [{ ...expected, metadata: { source: 'form' } }] });
});

test('IDF-017 list_identifiers answers the identifiers of that person, oldest first', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'zoe@example.com' });
  await org.person({ email: 'other@example.com' });
  for (const identifier_value of ['m', 'z', 'a', 'k']) {
    await org.tool('add_identifier', { person_id, identifier_type: 'chat', identifier_value });
  }
  // The value written last may still be the oldest.
  await world().admin.query(
    `update identifiers set created_at = created_at - interval '1 day' where org_id = $1 and value = 'k'`,
    [org.id],
  );
  const values = (body: { identifiers: { identifier_value: string }[] }) =>
    body.identifiers.map((one) => one.identifier_value);
  const oldestFirst = ['k', 'zoe@example.com', 'm', 'z', 'a'];
  expect(values((await org.tool('list_identifiers', { person_id })).body)).toEqual(oldestFirst);
  expect(values((await org.rest(`GET /v1/people/${person_id}/identifiers`)).body)).toEqual(oldestFirst);
  expect((await org.tool('list_identifiers', {})).isError).toBe(true);
});

test('IDF-003 IDF-004 a person holds many identifiers of each type, one of them primary at most', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'first@example.com' });
  for (const [, identifier_type] of types) {
    for (const identifier_value of ['a@example.com', 'b@example.com', 'c@example.com']) {
      const { body } = await org.rest(`POST /v1/people/${person_id}/identifiers`, {
        identifier_type,
        identifier_value,
        is_primary_for_type: true,
      });
      expect(body).toMatchObject({ action: 'added', is_primary: true });
    }
  }
  const { body } = await org.rest(`GET /v1/people/${person_id}/identifiers`);
  for (const [, type] of types) {
    const ofType = body.identifiers.filter(
      (one: { identifier_type: string }) => one.identifier_type === type,
    );
    const primaries = ofType.filter((one: { is_primary_for_type: boolean }) => one.is_primary_for_type);
    expect(ofType).toHaveLength(type === 'email' ? 4 : 3);
    expect(primaries).toMatchObject([{ identifier_value: 'c@example.com' }]);
  }
});

test('IDF-003 callers who each make another one primary at once leave one primary', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'first@example.com' });
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      org.rest(`POST /v1/people/${person_id}/identifiers`, {
        identifier_type: 'email',
        identifier_value: `address-${index}@example.com`,
        is_primary_for_type: true,
      }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  const { body } = await org.tool('list_identifiers', { person_id });
  const primaries = body.identifiers.filter(
    (one: { is_primary_for_type: boolean }) => one.is_primary_for_type,
  );
  expect(body.identifiers).toHaveLength(9);
  expect(primaries).toHaveLength(1);
  const { body: full } = await org.tool('get_person', { person_id });
  expect(full.person.primary_email).toBe(primaries[0].identifier_value);
});
