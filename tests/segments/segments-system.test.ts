import { afterEach, beforeEach, expect, test } from 'vitest';
import { observe } from '../support/observe-person.ts';
import { contentsOf } from '../support/org-contents.ts';
import { asProblem, problem } from '../support/problem.ts';
import { listMembers } from '../support/segment.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const filtersOf = {
  'Everyone with an email': [{ property: 'primary_email', op: 'is_not_empty' }],
  'Identified people': [{ property: 'identified', op: 'eq', value: true }],
  'Opted out': [{ property: 'opted_out', op: 'eq', value: true }],
  Customers: [{ property: 'subscription_status', op: 'in', values: ['active', 'trialing'] }],
  'Recently engaged': [{ property: 'last_opened_at', op: 'gte', value: 'now-30d' }],
};
type Name = keyof typeof filtersOf;
const names = Object.keys(filtersOf) as Name[];

let org: TestOrg;
/** The ids of the system segments by their names. */
let ids: Record<Name, string>;
beforeEach(async () => {
  org = await world().newOrg();
  const { segments } = (await org.tool('list_segments')).body;
  ids = Object.fromEntries(
    segments.map(({ id, name }: { id: string; name: string }) => [name, id]),
  ) as typeof ids;
});
afterEach(() => {
  world().clock.now = () => new Date();
});

const membersOf = (name: Name): Promise<string[]> => listMembers(org, ids[name]);

test('SEG-003 a new organization has five system segments, which every read shows', async () => {
  const { segments, total } = (await org.rest('GET /v1/segments')).body;
  expect(total).toBe(5);
  expect(Object.keys(ids).toSorted()).toEqual(names.toSorted());
  for (const segment of segments) {
    expect(segment).toMatchObject({
      is_system: true,
      description: expect.stringMatching(/^\S.+\.$/),
      color: expect.stringMatching(/^#[0-9a-f]{6}$/),
      filters: filtersOf[segment.name as Name],
      warnings: [],
      used_by: [],
    });
    const segment_id = segment.id;
    expect((await org.tool('get_segment', { segment_id })).body).toEqual({ segment });
    expect((await org.rest(`GET /v1/segments/${segment_id}`)).body).toEqual({ segment });
    const nobody = { people: [], total: 0, limit: 50, offset: 0 };
    expect((await org.tool('list_segment_members', { segment_id })).body).toEqual(nobody);
    expect((await org.rest(`GET /v1/segments/${segment_id}/members`)).body).toEqual(nobody);
    expect((await org.tool('list_people', { segment_id })).body).toEqual(nobody);
  }
});

test('SEG-003 those with an email, those identified and the others are told apart', async () => {
  const withEmail = await org.person({ email: 'ada@example.com' });
  const named = await org.person({ phone: '+15550001', first_name: 'Ada' });
  const surnamed = await org.person({ anonymous_id: 'a-1', last_name: 'Ivers' });
  await org.person({ phone: '+15550002', external_user_id: 'crm-1' });
  expect(await membersOf('Everyone with an email')).toEqual([withEmail]);
  expect(await membersOf('Identified people')).toEqual([surnamed, named, withEmail]);
});

test('SEG-003 whoever opted out of either channel is opted out, and nobody who opted back in', async () => {
  const person = async (name: string, optOuts?: object): Promise<string> => {
    const person_id = await org.person({ anonymous_id: name });
    if (optOuts !== undefined) await org.tool('set_opt_outs', { person_id, ...optOuts });
    return person_id;
  };
  const email = await person('email', { email_opt_out: true });
  const texts = await person('texts', { sms_opt_out: true });
  const both = await person('both', { email_opt_out: true, sms_opt_out: true });
  await person('neither', { email_opt_out: false, sms_opt_out: false });
  await person('unasked');
  expect(await membersOf('Opted out')).toEqual([both, texts, email]);
  await org.tool('set_opt_outs', { person_id: both, email_opt_out: false });
  await org.tool('set_opt_outs', { person_id: texts, sms_opt_out: false });
  expect(await membersOf('Opted out')).toEqual([both, email]);
});

test('SEG-003 customers have a subscription that is active or on trial', async () => {
  const people: Record<string, string> = {};
  for (const status of ['active', 'trialing', 'past_due', 'canceled', 'paused', 'inactive', 'unpaid']) {
    people[status] = await org.person({ anonymous_id: status });
    await observe(world(), people[status], { subscription_status: status });
  }
  await org.person({ anonymous_id: 'none' });
  expect(await membersOf('Customers')).toEqual([people['trialing'], people['active']]);
});

test('SEG-003 recently engaged are those who opened an email within 30 days of the moment it is read', async () => {
  const now = new Date('2026-06-01T12:00:00.000Z');
  const opened = async (last_opened_at: string): Promise<string> => {
    const id = await org.person({ anonymous_id: last_opened_at });
    await observe(world(), id, { last_opened_at });
    return id;
  };
  await opened('2026-05-02T11:59:59.999Z');
  const justSo = await opened('2026-05-02T12:00:00.000Z');
  const lately = await opened('2026-05-31T12:00:00.000Z');
  await org.person({ anonymous_id: 'never' });
  world().clock.now = () => now;
  expect(await membersOf('Recently engaged')).toEqual([lately, justSo]);
  world().clock.now = () => new Date(now.getTime() + 1);
  expect(await membersOf('Recently engaged')).toEqual([lately]);
  world().clock.now = () => new Date('2026-07-01T12:00:00.000Z');
  expect(await membersOf('Recently engaged')).toEqual([]);
});

test.each(names)('SEG-004 SEG-005 %s can be neither changed nor deleted', async (name) => {
  const segment_id = ids[name];
  const before = await contentsOf(world().admin, org);
  const path = `/v1/segments/${segment_id}`;
  const filters = [{ property: 'mrr', op: 'gt', value: 0 }];
  for (const changes of [{ name: 'Mine' }, { description: null }, { color: '#fff' }, { filters }]) {
    const overRest = await org.rest(`PATCH ${path}`, changes);
    expect(asProblem(overRest)).toEqual(problem(409, 'system_segment', path));
    const overTool = await org.tool('update_segment', { segment_id, ...changes });
    expect(overTool).toMatchObject({ isError: true, body: { status: 409, code: 'system_segment' } });
    expect(overTool.text).toContain(name);
  }
  expect(asProblem(await org.rest(`DELETE ${path}`))).toEqual(problem(409, 'system_segment', path));
  const overTool = await org.tool('delete_segment', { segment_id });
  expect(overTool).toMatchObject({ isError: true, body: { status: 409, code: 'system_segment' } });
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('the refusal has a page that says what to do', async () => {
  const response = await fetch(`${world().url}/docs/errors/system_segment`);
  expect(response.status).toBe(200);
  const page = await response.text();
  expect(page).toContain('The segment is kept by the service');
  expect(page).toContain('Create one of your own');
});

test('an organization that is deleted takes its segments along, and no other’s', async () => {
  const other = await world().newOrg();
  await org.rest('POST /v1/segments', { name: 'Mine', filters: filtersOf.Customers });
  const count = async (of: TestOrg): Promise<number | null> =>
    (await world().admin.query('select 1 from segments where org_id = $1', [of.id])).rowCount;
  expect([await count(org), await count(other)]).toEqual([6, 5]);
  await world().admin.query('delete from organizations where id = $1', [org.id]);
  expect([await count(org), await count(other)]).toEqual([0, 5]);
});
