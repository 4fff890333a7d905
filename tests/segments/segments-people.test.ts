import { beforeAll, expect, test } from 'vitest';
import { observe } from '../support/observe-person.ts';
import { listMembers, newSegment } from '../support/segment.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

type Arguments = Record<string, string | number | boolean>;

interface Page {
  readonly people: { id: string }[];
  readonly total: number;
}

/** What list_people answers, over both faces alike. */
async function read(org: TestOrg, input: Arguments): Promise<Page> {
  const overTool = await org.tool('list_people', input);
  expect(overTool.isError).toBe(false);
  const words = Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]);
  const overRest = await org.rest(`GET /v1/people?${new URLSearchParams(words).toString()}`);
  expect(overRest.body).toEqual(overTool.body);
  return overTool.body;
}

/** Everybody it lists, in its order. */
async function listed(org: TestOrg, input: Arguments): Promise<string[]> {
  const { people, total } = await read(org, input);
  expect(total).toBe(people.length);
  return people.map(({ id }) => id);
}

let org: TestOrg;
let segment_id: string;
const people: Record<string, string> = {};
beforeAll(async () => {
  org = await world().newOrg();
  await org.tool('create_property_config', { key: 'tier', name: 'Tier', type: 'string' });
  for (const [name, tier, mrr, status, opened] of [
    ['Ada', 'pro', 300, 'active', '2026-01-03T00:00:00Z'],
    ['Ben', 'pro', 100, 'paused', '2026-01-01T00:00:00Z'],
    ['Cleo', 'free', 900, 'active', '2026-01-02T00:00:00Z'],
    ['Dan', 'pro', 200, 'active', undefined],
    ['Eve', undefined, 400, 'active', '2026-01-04T00:00:00Z'],
  ] as const) {
    const person_id = await org.person({ email: `${name}@example.com`, first_name: name });
    const observed = {
      mrr,
      subscription_status: status,
      ...(opened !== undefined && { last_opened_at: opened }),
    };
    await observe(world(), person_id, observed);
    if (tier !== undefined) await org.tool('set_person_property', { person_id, key: 'tier', value: tier });
    people[name] = person_id;
  }
  segment_id = await newSegment(org, [{ custom_property_key: 'tier', op: 'eq', value: 'pro' }]);
});

const named = (...names: string[]): string[] => names.map((name) => people[name]!);

test('PPL-030 segment_id lists the members of the segment and nobody else', async () => {
  expect(await listed(org, { segment_id })).toEqual(named('Dan', 'Ben', 'Ada'));
  expect(await listed(org, { segment_id })).toEqual(await listMembers(org, segment_id));
});

test('PPL-030 together with other filters all must hold', async () => {
  expect(await listed(org, { segment_id, subscription_status: 'active' })).toEqual(named('Dan', 'Ada'));
  expect(await listed(org, { segment_id, mrr_gte: 2, mrr_lte: 2.5 })).toEqual(named('Dan'));
  expect(await listed(org, { segment_id, email: 'BEN@example.com' })).toEqual(named('Ben'));
  expect(await listed(org, { segment_id, email: 'cleo@example.com' })).toEqual([]);
  expect(await listed(org, { segment_id, identified: false })).toEqual([]);
  const active = { segment_id, identified: true, subscription_status: 'active', mrr_gte: 3 };
  expect(await listed(org, active)).toEqual(named('Ada'));
});

test('PPL-030 together with a sort and a page', async () => {
  expect(await listed(org, { segment_id, sort: 'mrr' })).toEqual(named('Ada', 'Dan', 'Ben'));
  expect(await listed(org, { segment_id, sort: 'mrr', order: 'asc' })).toEqual(named('Ben', 'Dan', 'Ada'));
  expect(await listed(org, { segment_id, sort: 'first_name', order: 'asc' })).toEqual(
    named('Ada', 'Ben', 'Dan'),
  );
  // People without the sort field come last either way.
  for (const [order, names] of [
    ['asc', ['Ben', 'Ada', 'Dan']],
    ['desc', ['Ada', 'Ben', 'Dan']],
  ] as const) {
    const sort = { segment_id, sort: 'last_opened_at', order };
    expect(await listed(org, sort)).toEqual(named(...names));
    for (const offset of [0, 1, 2, 3]) {
      const page = await read(org, { ...sort, limit: 1, offset });
      expect(page).toMatchObject({
        people: named(...names.slice(offset, offset + 1)).map((id) => ({ id })),
        total: 3,
      });
    }
  }
});

test('PPL-030 members are those of the moment', async () => {
  const person_id = await org.person({ anonymous_id: 'passing' });
  await org.tool('set_person_property', { person_id, key: 'tier', value: 'pro' });
  expect(await listed(org, { segment_id, mrr_lte: 0 })).toEqual([person_id]);
  await org.tool('set_person_property', { person_id, key: 'tier', value: 'free' });
  expect(await listed(org, { segment_id, mrr_lte: 0 })).toEqual([]);
});

test('PPL-030 a segment that there is not is not found, and what is no id is refused', async () => {
  const unknown = await org.tool('list_people', { segment_id: people['Ada'] });
  expect(unknown).toMatchObject({ isError: true, body: { status: 404, code: 'not_found' } });
  expect((await org.rest(`GET /v1/people?segment_id=${people['Ada']}`)).status).toBe(404);
  for (const wrong of ['all', '', null, 1]) {
    const refused = await org.tool('list_people', { segment_id: wrong });
    expect(refused.body).toMatchObject({ status: 400, errors: [{ pointer: '/segment_id' }] });
  }
});

test('PPL-002 search_people, list_people and list_segment_members answer the same summary', async () => {
  const own = await world().newOrg();
  const id = await own.person({
    email: 'ada@example.com',
    phone: '+15550001',
    external_user_id: 'crm-1',
    first_name: 'Ada',
    last_name: 'Ivers',
  });
  const paid = { subscription_status: 'past_due', payment_processor: 'processor_b', mrr: 1234, ltv: 98_765 };
  await observe(world(), id, { ...paid, created_at: '2026-01-02T03:04:05.678Z' });
  const summary = {
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
  };
  const segment = await newSegment(own, [{ property: 'mrr', op: 'gt', value: 12 }]);
  for (const { body } of [
    await own.tool('search_people', { query: 'ada@' }),
    await own.rest('POST /v1/people/search', { query: 'ada@' }),
    await own.tool('list_people'),
    await own.rest('GET /v1/people'),
    await own.tool('list_segment_members', { segment_id: segment }),
    await own.rest(`GET /v1/segments/${segment}/members`),
  ]) {
    expect(body.people).toEqual([summary]);
  }
});

test.each(['tool', 'rest'])(
  'DEL-004 whoever is deleted over %s is found and listed nowhere',
  async (face) => {
    const own = await world().newOrg();
    const segment = await newSegment(own, [{ property: 'first_name', op: 'eq', value: 'Ada' }]);
    const stays = await own.person({ email: 'ada-1@example.com', first_name: 'Ada' });
    const person_id = await own.person({ email: 'ada-2@example.com', first_name: 'Ada' });
    const found = async (): Promise<string[][]> => {
      const answers = [
        await own.tool('search_people', { query: 'ada' }),
        await own.tool('list_people'),
        await own.tool('list_people', { segment_id: segment }),
        await own.tool('list_segment_members', { segment_id: segment }),
        await own.rest('POST /v1/people/search', { query: 'ada' }),
        await own.rest('GET /v1/people'),
        await own.rest(`GET /v1/segments/${segment}/members`),
      ];
      return answers.map(({ body }) => body.people.map(({ id }: { id: string }) => id).toSorted());
    };
    expect(new Set((await found()).map(String))).toEqual(new Set([[stays, person_id].toSorted().join(',')]));
    const { body } =
      face === 'tool'
        ? await own.tool('delete_person', { person_id })
        : await own.rest(`DELETE /v1/people/${person_id}`);
    expect(body).toEqual({ deleted: true, person_id });
    expect(new Set((await found()).map(String))).toEqual(new Set([stays]));
    const gone = { status: 404, code: 'not_found' };
    expect((await own.tool('get_person', { person_id })).body).toMatchObject(gone);
    expect((await own.rest(`GET /v1/people/${person_id}`)).body).toMatchObject(gone);
    expect((await own.tool('search_people', { query: person_id })).body.people).toEqual([]);
    expect((await own.tool('delete_person', { person_id })).body).toMatchObject(gone);
    const { rowCount } = await world().admin.query('select 1 from people where id = $1', [person_id]);
    expect(rowCount).toBe(0);
  },
);
