import { expect, test } from 'vitest';
import { observe } from '../support/observe-person.ts';
import { contentsOf } from '../support/org-contents.ts';
import { asProblem, problem } from '../support/problem.ts';
import { listMembers, newSegment, type Sent } from '../support/segment.ts';
import type { RestAnswer, TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const preview = (org: TestOrg, filters: readonly Sent[]): Promise<RestAnswer> =>
  org.rest('POST /v1/segments/preview', { filters });

const adas = [{ property: 'first_name', op: 'eq', value: 'Ada' }];

test('a preview counts everybody the conditions match and shows the five newest', async () => {
  const org = await world().newOrg();
  const people: string[] = [];
  for (const day of [4, 2, 7, 1, 6, 3, 5]) {
    const id = await org.person({ email: `ada-${day}@example.com`, first_name: 'Ada' });
    await observe(world(), id, { created_at: `2026-01-0${day}T00:00:00.000Z`, mrr: day * 100 });
    people[day] = id;
  }
  await org.person({ email: 'grace@example.com', first_name: 'Grace' });
  const { status, body } = await preview(org, adas);
  expect(status).toBe(200);
  expect(Object.keys(body).toSorted()).toEqual(['count', 'reachable_by_email', 'samples']);
  expect(body).toMatchObject({ count: 7, reachable_by_email: 7 });
  expect(body.samples.map(({ id }: { id: string }) => id)).toEqual(people.slice(3).toReversed());
  const { people: listed } = (await org.tool('list_people', { email: 'ada-7@example.com' })).body;
  expect(body.samples[0]).toEqual(listed[0]);
  const narrower = await preview(org, [...adas, { property: 'mrr', op: 'lte', value: 2 }]);
  expect(narrower.body).toMatchObject({ count: 2, samples: [{ id: people[2] }, { id: people[1] }] });
  const nobody = await preview(org, [{ property: 'first_name', op: 'eq', value: 'Nobody' }]);
  expect(nobody.body).toEqual({ count: 0, reachable_by_email: 0, samples: [] });
});

const noEmail = { phone: '+15550001', email: undefined };
const cases: [
  who: string,
  reachable: boolean,
  fields: object,
  arrange?: (org: TestOrg, id: string) => Promise<unknown>,
][] = [
  ['who has an email', true, {}],
  ['who has no email', false, noEmail],
  ['who opted out of email', false, {}, (org, id) => optOut(org, id, { email_opt_out: true })],
  [
    'who opted out of both',
    false,
    {},
    (org, id) => optOut(org, id, { email_opt_out: true, sms_opt_out: true }),
  ],
  ['who opted out of texts alone', true, {}, (org, id) => optOut(org, id, { sms_opt_out: true })],
  [
    'who opted back in',
    true,
    {},
    async (org, id) => {
      await optOut(org, id, { email_opt_out: true });
      await optOut(org, id, { email_opt_out: false });
    },
  ],
  ['whose primary email is blacklisted', false, {}, (org, id) => blacklist(org, id, 'ada@example.com')],
  ['whose other email is blacklisted', true, {}, (org, id) => blacklist(org, id, 'old@example.com')],
  [
    'who has two emails blacklisted, the primary among them',
    false,
    {},
    async (org, id) => {
      await blacklist(org, id, 'old@example.com');
      await blacklist(org, id, 'ada@example.com');
    },
  ],
];

const optOut = (org: TestOrg, person_id: string, flags: object) =>
  org.tool('set_opt_outs', { person_id, ...flags });

const blacklist = (org: TestOrg, person: string, email: string) =>
  world().admin.query(
    `insert into email_blacklist (org_id, id, person_id, email, reason, created_at)
     values ($1, gen_random_uuid(), $2, $3, 'bounced', now())`,
    [org.id, person, email],
  );

test.each(cases)('somebody %s: reachable by email is %j', async (_, reachable, fields, arrange) => {
  const org = await world().newOrg();
  const id = await org.person({ email: 'ada@example.com', first_name: 'Ada', ...fields });
  await arrange?.(org, id);
  const { body } = await preview(org, adas);
  expect(body).toMatchObject({ count: 1, reachable_by_email: reachable ? 1 : 0, samples: [{ id }] });
});

test('a preview counts whom the same conditions, once saved, have as members', async () => {
  const org = await world().newOrg();
  await org.tool('create_property_config', { key: 'seats', name: 'Seats', type: 'number' });
  for (let seats = 0; seats < 12; seats += 1) {
    const person_id = await org.person({
      email: `p${seats}@example.com`,
      ...(seats % 2 && { first_name: 'Ada' }),
    });
    if (seats % 3 > 0) await org.tool('set_person_property', { person_id, key: 'seats', value: seats });
    if (seats % 4 === 0) await optOut(org, person_id, { email_opt_out: true });
  }
  for (const [filters, count, reachable] of [
    [adas, 6, 6],
    [[{ custom_property_key: 'seats', op: 'neq', value: 1 }], 11, 8],
    [[...adas, { custom_property_key: 'seats', op: 'gte', value: 5 }], 3, 3],
    [[{ custom_property_key: 'seats', op: 'gte', value: 5 }], 5, 4],
  ] as const) {
    const { body } = await preview(org, filters);
    expect(body).toMatchObject({ count, reachable_by_email: reachable });
    const members = await listMembers(org, await newSegment(org, filters));
    expect(members).toHaveLength(count);
    expect(body.samples.map(({ id }: { id: string }) => id)).toEqual(members.slice(0, 5));
  }
});

test('a preview writes nothing and needs no more than people.read', async () => {
  const org = await world().newOrg();
  await org.person({ email: 'ada@example.com', first_name: 'Ada' });
  const reader = await world().newKey(org, ['people.read']);
  const before = await contentsOf(world().admin, org);
  expect((await preview(reader, adas)).body.count).toBe(1);
  expect(await contentsOf(world().admin, org)).toEqual(before);
  const writer = await world().newKey(org, ['people.write', 'people.delete']);
  expect(await preview(writer, adas)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
});

test.each([
  ['no conditions', []],
  ['more than twenty conditions', Array.from({ length: 21 }, () => adas[0])],
  ['an unknown field', [{ property: 'identified', op: 'eq', value: true }]],
  ['an unknown property', [{ custom_property_key: 'nothing', op: 'is_empty' }]],
  ['a wrong operator', [{ property: 'mrr', op: 'contains', value: '1' }]],
  ['a wrong value', [{ property: 'created_at', op: 'gt', value: 'yesterday' }]],
  ['a field that is none', [{ ...adas[0], negate: true }]],
  ['no list', adas[0]],
  ['nothing at all', undefined],
])('a preview refuses %s as create_segment does, and writes nothing', async (_, filters) => {
  const org = await world().newOrg();
  const before = await contentsOf(world().admin, org);
  const refused = await org.rest('POST /v1/segments/preview', { filters });
  expect(asProblem(refused)).toEqual(problem(400, 'invalid_request', '/v1/segments/preview'));
  const created = await org.rest('POST /v1/segments', { name: 'A segment', filters });
  const { status, code, detail, errors } = created.body;
  expect(refused.body).toMatchObject({ status, code, detail, errors });
  expect(await contentsOf(world().admin, org)).toEqual(before);
});
