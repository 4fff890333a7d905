import { beforeAll, expect, test } from 'vitest';
import { observe } from '../support/observe-person.ts';
import { newSegment } from '../support/segment.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const member = { property: 'first_name', op: 'eq', value: 'Member' };
const members = 203;

/** People with one name, seven of them made at each moment. */
async function addPeople(org: TestOrg, count: number, name: string, from: string): Promise<void> {
  await world().admin.query(
    `insert into people (org_id, id, first_name, created_at, updated_at)
     select $1, new_id(now()), $2, $3::timestamptz + (n / 7) * interval '1 minute', now()
     from generate_series(1, ${count}) n`,
    [org.id, name, from],
  );
}

let org: TestOrg;
let segment_id: string;
beforeAll(async () => {
  org = await world().newOrg();
  await addPeople(org, members, 'Member', '2026-01-01T00:00:00Z');
  await addPeople(org, 40, 'Somebody else', '2026-01-01T00:00:00Z');
  segment_id = await newSegment(org, [member]);
});

interface Page {
  readonly people: { id: string; created_at: string }[];
  readonly total: number;
}

async function page(limit: number, offset: number): Promise<Page> {
  const overTool = await org.tool('list_segment_members', { segment_id, limit, offset });
  expect(overTool.isError).toBe(false);
  return overTool.body;
}

const idsOf = ({ people }: Page): string[] => people.map(({ id }) => id);

test('SEG-057 list_segment_members answers people and the full member count, whatever the page', async () => {
  for (const [limit, offset, rows] of [
    [1, 0, 1],
    [200, 200, 3],
    [50, 202, 1],
    [10, 203, 0],
    [200, 100_000, 0],
  ] as const) {
    const { people, total } = await page(limit, offset);
    expect({ rows: people.length, total }).toEqual({ rows, total: members });
    const overRest = await org.rest(`GET /v1/segments/${segment_id}/members?limit=${limit}&offset=${offset}`);
    expect(overRest).toMatchObject({ status: 200, body: { people, total, limit, offset } });
  }
  for (const [args, at] of [
    [{}, '/segment_id'],
    [{ segment_id, sort: 'mrr' }, '/sort'],
    [{ segment_id, offset: -1 }, '/offset'],
    [{ segment_id, offset: '1' }, '/offset'],
  ] as const) {
    const { isError, body } = await org.tool('list_segment_members', args);
    expect({ isError, at: body.errors[0].pointer }).toEqual({ isError: true, at });
  }
});

test('SEG-058 people are listed newest first', async () => {
  const { rows } = await world().admin.query<{ id: string }>(
    `select id from people where org_id = $1 and first_name = 'Member' order by created_at desc, id desc`,
    [org.id],
  );
  const listed = [...idsOf(await page(200, 0)), ...idsOf(await page(200, 200))];
  expect(listed).toEqual(rows.map(({ id }) => id));
  const { people } = await page(200, 0);
  const moments = people.map(({ created_at }) => created_at);
  expect(moments).toEqual(moments.toSorted().toReversed());
  expect(new Set(moments).size).toBeGreaterThan(20);
});

test('SEG-059 limit accepts 1 to 200 and is 50 when it is left out', async () => {
  for (const limit of [1, 2, 199, 200]) expect((await page(limit, 0)).people).toHaveLength(limit);
  const overTool = await org.tool('list_segment_members', { segment_id });
  const overRest = await org.rest(`GET /v1/segments/${segment_id}/members`);
  for (const { body } of [overTool, overRest]) {
    expect(body).toMatchObject({ limit: 50, offset: 0 });
    expect(idsOf(body)).toEqual(idsOf(await page(50, 0)));
  }
});

test('SEG-059 a limit outside 1 to 200, or no whole number, is refused', async () => {
  for (const limit of [0, -1, 201, 1000, 1.5, '10', null]) {
    const { isError, body } = await org.tool('list_segment_members', { segment_id, limit });
    expect({ limit, isError, at: body.errors[0].pointer }).toEqual({ limit, isError: true, at: '/limit' });
    expect(body).not.toHaveProperty('people');
  }
  for (const limit of ['0', '201', '-1', '1.5', 'ten', '']) {
    expect((await org.rest(`GET /v1/segments/${segment_id}/members?limit=${limit}`)).status).toBe(400);
  }
});

test.each([3, 29, 50, 200])('SEG-060 pages of %i go through all members once', async (limit) => {
  const seen: string[] = [];
  for (let offset = 0; offset < members; offset += limit) seen.push(...idsOf(await page(limit, offset)));
  expect(seen).toHaveLength(members);
  expect(seen).toEqual([...idsOf(await page(200, 0)), ...idsOf(await page(200, 200))]);
  expect(new Set(seen).size).toBe(members);
});

/** Reads every page, with something happening before each but the first. */
async function readWhile(happening: (turn: number) => Promise<void>): Promise<string[]> {
  const seen: string[] = [];
  for (let turn = 0, found = 29; found === 29; turn += 1) {
    if (turn > 0) await happening(turn);
    const read = idsOf(await page(29, turn * 29));
    seen.push(...read);
    found = read.length;
  }
  return seen;
}

test('SEG-060 nobody is skipped or repeated while others come, go and change and members change otherwise', async () => {
  const before = [...idsOf(await page(200, 0)), ...idsOf(await page(200, 200))];
  const seen = await readWhile(async (turn) => {
    const stranger = await org.person({ email: `new-${turn}@example.com`, first_name: 'New' });
    const passing = await org.person({ email: `passing-${turn}@example.com` });
    await org.tool('delete_person', { person_id: passing });
    await observe(world(), stranger, { created_at: `2026-01-01T00:0${turn}:00Z` });
    for (const [index, id] of before.entries()) {
      if (index % 10 === turn) await observe(world(), id, { mrr: turn * 100, last_opened_at: '2026-02-01' });
    }
    const touched = before[turn * 5]!;
    const identifier = { identifier_type: 'email', identifier_value: `member-${turn}@example.com` };
    await org.tool('add_identifier', { person_id: touched, ...identifier, is_primary_for_type: true });
    await org.rest(`PATCH /v1/people/${touched}/opt-outs`, { email_opt_out: true });
  });
  expect(seen).toEqual(before);
});

test('SEG-060 whoever was a member is seen also while others join', async () => {
  const before = [...idsOf(await page(200, 0)), ...idsOf(await page(200, 200))];
  const seen = await readWhile(async (turn) => {
    await org.person({ email: `joined-${turn}@example.com`, first_name: 'Member' });
  });
  expect(before.filter((id) => !seen.includes(id))).toEqual([]);
});
