import { expect, test } from 'vitest';
import { contentsOf } from '../support/org-contents.ts';
import { listMembers } from '../support/segment.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const contents = (org: TestOrg) => contentsOf(world().admin, org);
const ada = { property: 'first_name', op: 'eq', value: 'Ada' };
const ivers = { property: 'last_name', op: 'eq', value: 'Ivers' };
const paying = { property: 'mrr', op: 'gt', value: 0 };
const whole = { name: 'Adas', description: 'By name.', color: '#2563eb', filters: [ada, ivers] };

interface Segment {
  readonly id: string;
  readonly updated_at: string;
}

async function newSegment(org: TestOrg): Promise<Segment> {
  return (await org.rest('POST /v1/segments', whole)).body.segment;
}

const update = {
  tool: async (org: TestOrg, segment_id: string, changes: object) =>
    (await org.tool('update_segment', { segment_id, ...changes })).body,
  rest: async (org: TestOrg, segment_id: string, changes: object) =>
    (await org.rest(`PATCH /v1/segments/${segment_id}`, changes)).body,
};

const remove = {
  tool: async (org: TestOrg, segment_id: string) => (await org.tool('delete_segment', { segment_id })).body,
  rest: async (org: TestOrg, segment_id: string) =>
    (await org.rest(`DELETE /v1/segments/${segment_id}`)).body,
};

const changes = [
  { name: 'Others' },
  { description: 'Otherwise.' },
  { description: null },
  { color: '#fff' },
  { color: null },
  { filters: [paying] },
  { name: 'Others', description: null, color: '#dc2626', filters: [paying, ada] },
];

test.each(changes)('SEG-065 update_segment with %j changes that alone', async (change) => {
  for (const face of ['tool', 'rest'] as const) {
    const org = await world().newOrg();
    const [segment, other] = [await newSegment(org), await newSegment(org)];
    const answer = await update[face](org, segment.id, change);
    const changed = { ...segment, ...change, updated_at: answer.segment.updated_at };
    expect(answer).toEqual({ segment: changed });
    expect(changed.updated_at >= segment.updated_at).toBe(true);
    expect((await org.rest(`GET /v1/segments/${segment.id}`)).body).toEqual({ segment: changed });
    expect((await org.rest(`GET /v1/segments/${other.id}`)).body).toEqual({ segment: other });
  }
});

test('SEG-065 updated_at tells when, and created_at stays', async () => {
  const org = await world().newOrg();
  const segment = await newSegment(org);
  const later = new Date(Date.now() + 3_600_000);
  world().clock.now = () => later;
  try {
    const { segment: changed } = await update.tool(org, segment.id, { name: 'Later' });
    expect(changed).toEqual({ ...segment, name: 'Later', updated_at: later.toISOString() });
  } finally {
    world().clock.now = () => new Date();
  }
});

test.each([
  {},
  { is_system: true },
  { created_at: '2026-01-01T00:00:00.000Z' },
  { name: '' },
  { name: null },
])('SEG-065 update_segment with %j is refused and changes nothing', async (change) => {
  const org = await world().newOrg();
  const { id } = await newSegment(org);
  const before = await contents(org);
  for (const face of ['tool', 'rest'] as const) {
    expect(await update[face](org, id, change)).toMatchObject({ status: 400, code: 'invalid_request' });
  }
  expect(await contents(org)).toEqual(before);
});

test('SEG-066 filters replaces the whole set of conditions, and who is a member goes by the new ones', async () => {
  const org = await world().newOrg();
  const both = await org.person({ email: 'a@example.com', first_name: 'Ada', last_name: 'Ivers' });
  const one = await org.person({ email: 'b@example.com', first_name: 'Ada', last_name: 'Other' });
  const { id } = await newSegment(org);
  expect(await listMembers(org, id)).toEqual([both]);
  for (const [filters, members] of [
    [[ada], [one, both]],
    [[ivers], [both]],
    [[paying, ada], []],
    [whole.filters, [both]],
  ] as const) {
    expect((await update.rest(org, id, { filters })).segment.filters).toEqual(filters);
    expect(await listMembers(org, id)).toEqual(members);
  }
});

const wrongFilters = [
  ['no condition', []],
  ['a field that there is not', [{ ...ada, property: 'shoe_size' }]],
  ['a property that there is not', [{ custom_property_key: 'shoe_size', op: 'eq', value: 44 }]],
  ['an operator that is not for the field', [{ ...ada, op: 'gt' }]],
  ['a value of another type', [{ ...paying, value: '0' }]],
  ['one wrong condition among right ones', [ada, ivers, { property: 'created_at', op: 'gt', value: 'soon' }]],
] as const;

test.each(wrongFilters)('SEG-051 with %s nothing is stored, neither made nor changed', async (_, filters) => {
  const org = await world().newOrg();
  const person = await org.person({ email: 'a@example.com', first_name: 'Ada', last_name: 'Ivers' });
  const segment = await newSegment(org);
  const before = await contents(org);
  const refused = { status: 400, code: 'invalid_request' };
  const made = { name: 'Wrong', filters };
  expect((await org.tool('create_segment', made)).body).toMatchObject(refused);
  expect((await org.rest('POST /v1/segments', made)).body).toMatchObject(refused);
  for (const face of ['tool', 'rest'] as const) {
    expect(await update[face](org, segment.id, { name: 'Wrong', filters })).toMatchObject(refused);
  }
  expect(await contents(org)).toEqual(before);
  expect((await org.tool('get_segment', { segment_id: segment.id })).body).toEqual({ segment });
  expect(await listMembers(org, segment.id)).toEqual([person]);
});

test.each(['tool', 'rest'] as const)(
  'SEG-067 delete_segment over %s removes the definition and no person',
  async (face) => {
    const org = await world().newOrg();
    await org.person({ email: 'a@example.com', first_name: 'Ada', last_name: 'Ivers' });
    const [{ id: segment_id }, other] = [await newSegment(org), await newSegment(org)];
    expect(await listMembers(org, segment_id)).toHaveLength(1);
    const { segments: _, audit_log: __, ...before } = await contents(org);
    expect(await remove[face](org, segment_id)).toEqual({ deleted: true, segment_id });
    const { segments, audit_log: ___, ...after } = await contents(org);
    expect(after).toEqual(before);
    expect(segments).toHaveLength(6);
    expect((await org.rest(`GET /v1/segments/${other.id}`)).body).toEqual({ segment: other });

    const gone = { status: 404, code: 'not_found' };
    for (const tool of ['get_segment', 'list_segment_members', 'delete_segment', 'list_people']) {
      expect((await org.tool(tool, { segment_id })).body).toMatchObject(gone);
    }
    expect(await update.rest(org, segment_id, { name: 'Back' })).toMatchObject(gone);
  },
);

test('what creates, changes and deletes a segment is in the audit log, with its id alone', async () => {
  const org = await world().newOrg();
  const { id } = await newSegment(org);
  await update.tool(org, id, { name: 'Zyxname', filters: [{ ...ada, value: 'Zyxvalue' }] });
  await remove.rest(org, id);
  const { rows } = await world().admin.query<{ operation: string; ids: unknown; reason: null; row: string }>(
    'select operation, ids, reason, a::text as row from audit_log a where org_id = $1 order by at, id',
    [org.id],
  );
  expect(rows.map(({ operation, ids, reason }) => ({ operation, ids, reason }))).toEqual(
    ['create_segment', 'update_segment', 'delete_segment'].map((operation) => ({
      operation,
      ids: { segment_id: id },
      reason: null,
    })),
  );
  for (const { row } of rows) expect(row).not.toMatch(/zyx|ivers/i);
});
