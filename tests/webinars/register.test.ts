import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { registerForWebinar } from '../../src/domain/webinars/registrations/register-for-webinar.ts';
import { waysTo } from '../support/call-operation.ts';
import { countOf, createWebinar, registerFor } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const ways = waysTo(registerForWebinar);
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

test('REG-001 REG-007 REG-008 REG-031 REG-032 registering somebody unknown creates them and answers 200 with both ids', async () => {
  const org = await world().newOrg();
  for (const way of ways) {
    const { id: webinar_id } = await createWebinar(org);
    const email = `${randomUUID()}@example.com`;
    const { status, body } = await way.call(org, { webinar_id, user: { email } });
    expect({ way: way.name, status, body }).toEqual({
      way: way.name,
      status: 200,
      body: {
        success: true,
        registration_id: expect.stringMatching(uuid),
        org_user_id: expect.stringMatching(uuid),
        already_registered: false,
      },
    });
    const { org_user_id } = body as { org_user_id: string };
    const person = await org.tool('get_person', { person_id: org_user_id });
    expect(person.body.person).toMatchObject({ id: org_user_id, primary_email: email });
  }
});

test('REG-002 an identifier of somebody who is there makes no second person', async () => {
  const org = await world().newOrg();
  const person = await org.person({ email: 'ann@example.com' });
  for (const way of ways) {
    const { id: webinar_id } = await createWebinar(org);
    const { body } = await way.call(org, { webinar_id, user: { email: ' ANN@example.com ' } });
    expect(body).toMatchObject({ org_user_id: person, already_registered: false });
  }
  expect(await countOf(world(), org, 'people')).toBe(1);
});

test.each([
  ['REG-011', 'user_id', 'org_assigned_user_id', 'customer-1'],
  ['REG-012', 'email', 'email', 'ann@example.com'],
  ['REG-013', 'phone', 'phone', '+15550100'],
  ['REG-014', 'anonymous_id', 'anonymous_id', 'visitor-1'],
])('%s %s alone is enough to register, and is stored as %s', async (_, field, type, value) => {
  for (const way of ways) {
    const org = await world().newOrg();
    const { id: webinar_id } = await createWebinar(org);
    const { status, body } = await way.call(org, { webinar_id, user: { [field]: value } });
    expect({ way: way.name, status }).toEqual({ way: way.name, status: 200 });
    const { org_user_id } = body as { org_user_id: string };
    const held = await org.rest(`GET /v1/people/${org_user_id}/identifiers`);
    expect(held.body.identifiers).toMatchObject([
      { identifier_type: type, identifier_value: value, is_primary_for_type: true },
    ]);
  }
});

test('REG-015 REG-017 REG-018 REG-019 all identifiers sent are stored, each as its type', async () => {
  const org = await world().newOrg();
  const { id } = await createWebinar(org);
  const user = {
    user_id: ' customer-1 ',
    email: 'Ann@Example.com',
    phone: '+15550100',
    anonymous_id: 'visitor-1',
  };
  const { org_user_id } = await registerFor(org, id, user);
  const { body } = await org.rest(`GET /v1/people/${org_user_id}/identifiers`);
  const stored = body.identifiers.map((one: Record<string, unknown>) => [
    one['identifier_type'],
    one['identifier_value'],
  ]);
  expect(new Map(stored)).toEqual(
    new Map([
      ['org_assigned_user_id', 'customer-1'],
      ['email', 'ann@example.com'],
      ['phone', '+15550100'],
      ['anonymous_id', 'visitor-1'],
    ]),
  );
  const { body: full } = await org.rest(`GET /v1/people/${org_user_id}`);
  expect(full.person).toMatchObject({ external_user_id: 'customer-1', primary_contact_method: 'email' });
});

test('unknown fields are passed over: a lost registrant costs more than a typo', async () => {
  const org = await world().newOrg();
  const { id: webinar_id } = await createWebinar(org);
  const user = {
    email: 'ann@example.com',
    firstname: 'Ann',
    utm: { source: 'news' },
    phone: '',
    last_name: null,
  };
  const { status } = await org.rest('POST /v1/webinars/register', {
    webinar_id,
    user,
    source: 'landing page',
  });
  expect(status).toBe(200);
});

test('an id written in capitals is the same webinar', async () => {
  const org = await world().newOrg();
  const { id } = await createWebinar(org);
  const first = await registerFor(org, id.toUpperCase(), { email: 'ann@example.com' });
  const second = await registerFor(org, id, { email: 'ann@example.com' });
  expect(second).toEqual({ ...first, already_registered: true });
  const attendance = await org.rest('POST /v1/webinars/attendance', {
    webinar_id: id.toUpperCase(),
    email: 'ann@example.com',
  });
  expect(attendance.status).toBe(200);
  const { rows } = await world().admin.query(
    `select distinct custom_properties ->> 'webinar_id' as id from events where org_id = $1`,
    [org.id],
  );
  expect(rows).toEqual([{ id }]);
});
