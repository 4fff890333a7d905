import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { answerOf, expectLedOn, type Guess } from './assistant.ts';

const world = useWorld();
const anId = /like [0-9a-f]{8}-[0-9a-f-]{27}/;
const segment = (filters: unknown, more = {}) =>
  ['create_segment', { name: 'Paying', filters, ...more }] as const;

const guesses: Guess[] = [
  ['search_people', { name: 'Ada' }, ['query: Is missing', 'Fields there are: query']],
  ['list_people', { query: 'ada' }, ['no field query', 'email', 'segment_id']],
  ['list_people', { limit: 1000, sort: 'name' }, ['limit: Must be 200 or less', 'first_name, last_name']],
  ['get_person', { person_id: 'ada@example.com' }, ['person_id', anId]],
  ['get_person', { id: '018f0000-0000-7000-8000-000000000000' }, ['person_id: Is missing', anId]],
  [...segment({ property: 'mrr', op: 'gt', value: 10 }), ['filters: Must be a list', '"property": "mrr"']],
  [...segment([{ field: 'mrr', op: 'gt', value: 10 }]), ['no field field', 'property, custom_property_key']],
  [...segment([{ property: 'mrr', op: '>', value: 10 }]), ['filters/0/op', 'gt, gte, lt, lte']],
  [...segment([{ property: 'mrr', op: 'gt', value: '10' }]), ['filters/0/value', 'number']],
  [...segment([{ property: 'created_at', op: 'gt', value: 'last month' }]), ['ISO 8601', 'now-Nd']],
  [...segment([{ property: 'subscription_status', op: 'eq', value: 'paying' }]), ['active', 'past_due']],
  [
    ...segment([{ custom_property_key: 'plan', op: 'eq', value: 'pro' }]),
    ['No property config has this key'],
  ],
];

test('to find and to segment: after each likely wrong guess the refusal alone is enough to go on', async () => {
  const org = await world().newOrg();
  await org.person({ email: 'ada@example.com' });
  await expectLedOn(org, guesses);
  const found = await answerOf(org, 'search_people', { query: 'ada' });
  await answerOf(org, 'get_person', { person_id: found.people[0].id });
  const filters = [{ property: 'created_at', op: 'gt', value: 'now-30d' }];
  expect(await answerOf(org, 'preview_segment', { filters })).toMatchObject({ count: 1 });
  expect(await answerOf(org, 'create_segment', { name: 'New', filters })).toMatchObject({ count: 1 });
});

test('without the permission to read people a segment is made and not counted', async () => {
  const org = await world().newOrg({ permissions: ['people.write'] });
  const filters = [{ property: 'created_at', op: 'gt', value: 'now-30d' }];
  expect((await org.rest('POST /v1/segments', { name: 'New', filters })).body.count).toBe(null);
});

test('the id of whoever a person was merged into stands in the sentence', async () => {
  const org = await world().newOrg();
  const first = await org.person({ email: 'ada@example.com' });
  const second = await org.person({ phone: '+4915112345678' });
  const { person_id } = await answerOf(org, 'identify_person', {
    email: 'ada@example.com',
    phone: '+4915112345678',
  });
  const gone = person_id === first ? second : first;
  const { text } = await org.tool('get_person', { person_id: gone });
  expect(text).toContain(`merged into ${person_id}`);
});

test('the server tells the three stories and the rule of asking first', async () => {
  const org = await world().newOrg();
  const { result } = await org.rpc('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'a client', version: '1' },
  });
  for (const words of ['People.', 'Broadcast', 'Webinar.', 'Ask first.'])
    expect(result.instructions).toContain(words);
  const names = await org.toolNames();
  const told = new Set<string>(result.instructions.match(/\b[a-z]+_[a-z_]+\b/g));
  const fields = ['plan_token', 'send_at'];
  expect([...told].filter((name) => !names.includes(name) && !fields.includes(name))).toEqual([]);
});
