import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const values = {
  external_user_id: 'customer-1',
  payment_customer_id: 'cus_1',
  email: 'ann@example.com',
  anonymous_id: 'visitor-1',
  phone: '+15550100',
};
type Argument = keyof typeof values;

const only = (argument: Argument): Partial<typeof values> => ({ [argument]: values[argument] });

test.each<[string, Argument, Argument]>([
  ['IDN-015', 'external_user_id', 'payment_customer_id'],
  ['IDN-016', 'payment_customer_id', 'email'],
  ['IDN-017', 'email', 'anonymous_id'],
  ['IDN-018', 'anonymous_id', 'phone'],
])('%s lookup tries %s before %s', async (_, earlier, later) => {
  // Whoever is older and whatever is sent first, the order is the same.
  for (const olderHolds of [earlier, later]) {
    const org = await world().newOrg();
    const older = await org.person(only(olderHolds));
    const newer = await org.person(only(olderHolds === earlier ? later : earlier));
    const answer = await org.tool('identify_person', { ...only(later), ...only(earlier) });
    const holder = olderHolds === earlier ? older : newer;
    expect(answer.body).toEqual({ person_id: holder, created: false });
  }
});

test('IDN-019 lookup stops at the first match, and that person is the one resolved', async () => {
  const org = await world().newOrg();
  const holders: string[] = [];
  for (const argument of Object.keys(values).toReversed() as Argument[]) {
    holders.unshift(await org.person(only(argument)));
  }
  // Of all five people the one with the external id is found first.
  const rest = await org.rest('POST /v1/people/identify', values);
  expect(rest.body).toEqual({ person_id: holders[0], created: false });

  // An identifier that nobody holds is passed over.
  const other = await world().newOrg();
  await other.person(only('phone'));
  const byEmail = await other.person(only('email'));
  const tool = await other.tool('identify_person', values);
  expect(tool.body).toEqual({ person_id: byEmail, created: false });
});

test('IDN-020 all identifiers sent are attached to the resolved person and show in list_identifiers', async () => {
  const org = await world().newOrg();
  const person_id = await org.person(only('anonymous_id'));
  const answer = await org.tool('identify_person', values);
  expect(answer.body).toEqual({ person_id, created: false });
  const { body } = await org.rest(`GET /v1/people/${person_id}/identifiers`);
  const sent = [
    { identifier_type: 'anonymous_id', identifier_value: 'visitor-1', is_contact_method: false },
    { identifier_type: 'email', identifier_value: 'ann@example.com', is_contact_method: true },
    { identifier_type: 'org_assigned_user_id', identifier_value: 'customer-1', is_contact_method: false },
    { identifier_type: 'payment_customer_id', identifier_value: 'cus_1', is_contact_method: false },
    { identifier_type: 'phone', identifier_value: '+15550100', is_contact_method: true },
  ];
  expect(body.identifiers).toHaveLength(sent.length);
  for (const one of sent) {
    expect(body.identifiers).toContainEqual(expect.objectContaining({ ...one, is_primary_for_type: true }));
  }
  const { body: full } = await org.tool('get_person', { person_id });
  expect(full.person).toMatchObject({
    primary_email: 'ann@example.com',
    primary_phone: '+15550100',
    external_user_id: 'customer-1',
    primary_contact_method: 'email',
  });
});

test('a second email is attached beside the primary one and does not take its place', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ ...only('phone'), ...only('email') });
  await org.tool('identify_person', { ...only('phone'), email: 'second@example.com' });
  const { body } = await org.tool('list_identifiers', { person_id });
  expect(body.identifiers).toContainEqual(
    expect.objectContaining({ identifier_value: 'second@example.com', is_primary_for_type: false }),
  );
  const { body: full } = await org.rest(`GET /v1/people/${person_id}`);
  expect(full.person.primary_email).toBe('ann@example.com');
});
