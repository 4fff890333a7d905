import { expect, test } from 'vitest';
import { observe } from '../support/observe-person.ts';
import { listMembers, newSegment, type Sent } from '../support/segment.ts';
import type { TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

/** Who is a member, by every read that tells; they must agree. */
async function membersOf(org: TestOrg, segment_id: string): Promise<string[]> {
  const members = await listMembers(org, segment_id);
  const overRest = await org.rest(`GET /v1/segments/${segment_id}/members`);
  const listed = await org.tool('list_people', { segment_id });
  const { filters } = (await org.tool('get_segment', { segment_id })).body.segment;
  const preview = await org.rest('POST /v1/segments/preview', { filters });
  for (const { people, total } of [overRest.body, listed.body]) {
    expect(people.map(({ id }: { id: string }) => id)).toEqual(members);
    expect(total).toBe(members.length);
  }
  expect(preview.body.count).toBe(members.length);
  return members;
}

/** A change that takes somebody in, and one that takes them out again. */
type Change = (org: TestOrg, person_id: string) => Promise<unknown>;

const setProperty =
  (value: string | null): Change =>
  (org, person_id) =>
    org.tool('set_person_property', { person_id, key: 'tier', value });

const name =
  (first_name: string): Change =>
  (org) =>
    org.rest('POST /v1/people/identify', { external_user_id: 'crm-1', first_name });

const email =
  (identifier_value: string): Change =>
  (org, person_id) =>
    org.tool('add_identifier', {
      person_id,
      identifier_type: 'email',
      identifier_value,
      is_primary_for_type: true,
    });

const observed =
  (fields: Parameters<typeof observe>[2]): Change =>
  (_, person_id) =>
    observe(world(), person_id, fields);

const moves: [field: string, condition: Sent, into: Change, out: Change][] = [
  ['a name', { property: 'first_name', op: 'eq', value: 'Ada' }, name('Ada'), name('Grace')],
  [
    'the primary email',
    { property: 'primary_email', op: 'contains', value: '@work' },
    email('ada@work.example'),
    email('ada@home.example'),
  ],
  [
    'the external id',
    { property: 'org_assigned_user_id', op: 'eq', value: 'crm-2' },
    (org, id) => org.rest(`PUT /v1/people/${id}/external-id`, { external_user_id: 'crm-2' }),
    (org, id) => org.rest(`PUT /v1/people/${id}/external-id`, { external_user_id: 'crm-3' }),
  ],
  ['revenue', { property: 'mrr', op: 'gt', value: 10 }, observed({ mrr: 1001 }), observed({ mrr: 1000 })],
  [
    'the status',
    { property: 'subscription_status', op: 'neq', value: 'canceled' },
    observed({ subscription_status: 'active' }),
    observed({ subscription_status: 'canceled' }),
  ],
  [
    'a custom property',
    { custom_property_key: 'tier', op: 'eq', value: 'pro' },
    setProperty('pro'),
    setProperty('free'),
  ],
  [
    'a custom property that is cleared',
    { custom_property_key: 'tier', op: 'is_empty' },
    setProperty(null),
    setProperty('free'),
  ],
  [
    'a custom property that is taken away',
    { custom_property_key: 'tier', op: 'neq', value: 'pro' },
    (org, person_id) => org.tool('delete_person_property', { person_id, key: 'tier' }),
    setProperty('pro'),
  ],
];

test.each(moves)(
  'SEG-002 a change of %s moves a person in and out at the next read',
  async (_, condition, into, out) => {
    const org = await world().newOrg();
    await org.tool('create_property_config', { key: 'tier', name: 'Tier', type: 'string' });
    const person = await org.person({ external_user_id: 'crm-1' });
    const segment = await newSegment(org, [condition]);
    for (let turn = 0; turn < (isLong ? 2 : 1); turn += 1) {
      await out(org, person);
      expect(await membersOf(org, segment)).toEqual([]);
      await into(org, person);
      expect(await membersOf(org, segment)).toEqual([person]);
    }
  },
);

test('SEG-002 people who are made, merged and deleted come and go', async () => {
  const org = await world().newOrg();
  const segment = await newSegment(org, [{ property: 'primary_email', op: 'is_not_empty' }]);
  expect(await membersOf(org, segment)).toEqual([]);
  const first = await org.person({ email: 'ada@example.com' });
  const second = await org.person({ external_user_id: 'crm-1', email: 'ivers@example.com' });
  expect(await membersOf(org, segment)).toEqual([second, first]);
  expect(await org.person({ external_user_id: 'crm-1', email: 'ada@example.com' })).toBe(second);
  expect(await membersOf(org, segment)).toEqual([second]);
  await org.tool('delete_person', { person_id: second });
  expect(await membersOf(org, segment)).toEqual([]);
});

test('SEG-007 all conditions must match', async () => {
  const org = await world().newOrg();
  await org.tool('create_property_config', { key: 'tier', name: 'Tier', type: 'string' });
  const conditions = [
    { property: 'first_name', op: 'eq', value: 'Ada' },
    { property: 'mrr', op: 'gte', value: 5 },
    { custom_property_key: 'tier', op: 'eq', value: 'pro' },
  ];
  // One person for every way to meet some of the conditions: a bit each.
  const people: string[] = [];
  for (let met = 0; met < 8; met += 1) {
    const person_id = await org.person({ anonymous_id: `a-${met}`, ...(met & 1 && { first_name: 'Ada' }) });
    if (met & 2) await observe(world(), person_id, { mrr: 500 });
    if (met & 4) await org.tool('set_person_property', { person_id, key: 'tier', value: 'pro' });
    people.push(person_id);
  }
  for (let asked = 1; asked < 8; asked += 1) {
    const segment = await newSegment(
      org,
      conditions.filter((_, bit) => asked & (1 << bit)),
    );
    const expected = people.filter((_, met) => (met & asked) === asked);
    expect((await membersOf(org, segment)).toSorted()).toEqual(expected.toSorted());
  }
});

test('SEG-007 two conditions on one field must both match', async () => {
  const org = await world().newOrg();
  const people = [];
  for (const mrr of [100, 200, 300]) {
    const id = await org.person({ anonymous_id: `${mrr}` });
    await observe(world(), id, { mrr });
    people.push(id);
  }
  const between = (least: number, most: number): Sent[] => [
    { property: 'mrr', op: 'gte', value: least },
    { property: 'mrr', op: 'lte', value: most },
  ];
  expect(await membersOf(org, await newSegment(org, between(2, 2)))).toEqual([people[1]]);
  expect(await membersOf(org, await newSegment(org, between(3, 1)))).toEqual([]);
});

test('SEG-007 there is no OR: conditions are one flat list', async () => {
  const org = await world().newOrg();
  const condition = { property: 'first_name', op: 'eq', value: 'Ada' };
  for (const filters of [
    { or: [condition, condition] },
    [{ or: [condition, condition] }],
    [{ any: [condition] }],
    [[condition]],
    [condition, 'or', condition],
    [{ ...condition, or: condition }],
  ]) {
    const { isError, body } = await org.tool('create_segment', { name: 'Either', filters });
    expect({ isError, status: body.status }).toEqual({ isError: true, status: 400 });
  }
});
