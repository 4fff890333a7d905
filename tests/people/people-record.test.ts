import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { observe } from '../support/observe-person.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const ada = {
  email: 'ada@example.com',
  phone: '+15550001',
  external_user_id: 'crm-1',
  first_name: 'Ada',
  last_name: 'Ivers',
};
const paid = {
  subscription_status: 'past_due',
  payment_processor: 'processor_b',
  mrr: 1234,
  ltv: 98_765,
  created_at: '2026-01-02T03:04:05.678Z',
};
const summaryOf = (id: string) => ({
  id,
  first_name: 'Ada',
  last_name: 'Ivers',
  primary_email: 'ada@example.com',
  primary_phone: '+15550001',
  external_user_id: 'crm-1',
  subscription_status: 'past_due',
  payment_processor: 'processor_b',
  mrr: 12.34,
  ltv: 987.65,
  created_at: '2026-01-02T03:04:05.678Z',
});

test('PPL-001 a summary holds its eleven fields and nothing else', async () => {
  const org = await world().newOrg();
  const id = await org.person(ada);
  await observe(world(), id, paid);
  expect((await org.rest('GET /v1/people')).body.people).toEqual([summaryOf(id)]);
  expect((await org.tool('search_people', { query: 'ada@' })).body.people).toEqual([summaryOf(id)]);
});

test('PPL-001 a summary holds its fields also for a person of whom nothing is known', async () => {
  const org = await world().newOrg();
  const id = await org.person({ anonymous_id: 'visitor-1' });
  const { people } = (await org.tool('list_people')).body;
  expect(people).toEqual([
    {
      id,
      first_name: null,
      last_name: null,
      primary_email: null,
      primary_phone: null,
      external_user_id: null,
      subscription_status: null,
      payment_processor: null,
      mrr: 0,
      ltv: 0,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    },
  ]);
});

const engagement = {
  first_payment_date: '2025-02-01T00:00:00.000Z',
  next_payment_date: '2026-02-01T00:00:00.000Z',
  cancels_at: '2026-03-01T00:00:00.000Z',
  updated_at: '2026-01-05T00:00:00.001Z',
  email_engagement_score: 71,
  last_opened_at: '2026-01-03T10:00:00.000Z',
  last_clicked_at: '2026-01-03T10:01:00.000Z',
  last_replied_at: '2026-01-03T10:02:00.000Z',
};

test('PPL-003 PPL-004 PPL-005 PPL-042 the record holds the summary, the payment dates and the engagement', async () => {
  const org = await world().newOrg();
  const person_id = await org.person(ada);
  await observe(world(), person_id, { ...paid, ...engagement });
  const overTool = await org.tool('get_person', { person_id });
  const overRest = await org.rest(`GET /v1/people/${person_id}`);
  expect(overTool.body).toEqual(overRest.body);
  expect(Object.keys(overRest.body)).toEqual(['person']);
  const { person } = overRest.body;
  expect(person).toMatchObject(summaryOf(person_id));
  expect(person).toMatchObject({ primary_contact_method: 'email', ...engagement });
});

test('PPL-004 PPL-005 dates and scores that are not known read as null', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ phone: '+15550002' });
  const { person } = (await org.tool('get_person', { person_id })).body;
  expect(person).toMatchObject({
    primary_contact_method: 'phone',
    first_payment_date: null,
    next_payment_date: null,
    cancels_at: null,
    email_engagement_score: null,
    last_opened_at: null,
    last_clicked_at: null,
    last_replied_at: null,
    updated_at: person.created_at,
  });
});

test('PPL-006 custom_properties are keyed by property key, each with value, name and type', async () => {
  const org = await world().newOrg();
  const person_id = await org.person(ada);
  const other = await org.person({ email: 'other@example.com' });
  for (const [key, name, type, value] of [
    ['plan_tier', 'Plan tier', 'string', 'pro'],
    ['seats', 'Seats', 'number', 12.5],
    ['newsletter', 'Newsletter', 'boolean', false],
    ['cleared', 'Cleared', 'string', null],
  ] as const) {
    await org.tool('create_property_config', { key, name, type });
    await org.tool('set_person_property', { person_id, key, value });
  }
  await org.tool('create_property_config', { key: 'unused', name: 'Unused', type: 'string' });
  await org.tool('set_person_property', { person_id: other, key: 'plan_tier', value: 'free' });
  const { person } = (await org.rest(`GET /v1/people/${person_id}`)).body;
  expect(person.custom_properties).toEqual({
    plan_tier: { value: 'pro', name: 'Plan tier', type: 'string' },
    seats: { value: 12.5, name: 'Seats', type: 'number' },
    newsletter: { value: false, name: 'Newsletter', type: 'boolean' },
    cleared: { value: null, name: 'Cleared', type: 'string' },
  });
});

test('PPL-007 contact_info holds the primary and all contact methods, and no other identifier', async () => {
  const org = await world().newOrg();
  const person_id = await org.person(ada);
  const add = (identifier_type: string, identifier_value: string, is_contact_method: boolean) =>
    org.tool('add_identifier', { person_id, identifier_type, identifier_value, is_contact_method });
  await add('email', 'second@example.com', true);
  await add('email', 'not-to-be-written-to@example.com', false);
  await add('chat', 'chat-1', true);
  const { person } = (await org.tool('get_person', { person_id })).body;
  const primary = { type: 'email', value: 'ada@example.com', is_primary: true };
  expect(person.contact_info.primary).toEqual(primary);
  expect(person.contact_info.all).toHaveLength(4);
  expect(person.contact_info.all).toEqual(
    expect.arrayContaining([
      primary,
      { type: 'phone', value: '+15550001', is_primary: true },
      { type: 'email', value: 'second@example.com', is_primary: false },
      { type: 'chat', value: 'chat-1', is_primary: false },
    ]),
  );
});

test('PPL-007 a person who can be reached nowhere has no primary contact method', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ external_user_id: 'crm-9' });
  const { person } = (await org.rest(`GET /v1/people/${person_id}`)).body;
  expect(person.contact_info).toEqual({ primary: null, all: [] });
});

test('PPL-008 team_members holds user ids, the primary and everyone assigned', async () => {
  const org = await world().newOrg();
  const person_id = await org.person(ada);
  const teamOf = async () => (await org.tool('get_person', { person_id })).body.person.team_members;
  expect(await teamOf()).toEqual({ primary_team_member: null, all_assigned: [] });
  const [first, second] = [randomUUID(), randomUUID()];
  await observe(world(), person_id, { primary_team_member: first, assigned_team_members: [first, second] });
  expect(await teamOf()).toEqual({ primary_team_member: first, all_assigned: [first, second] });
});
