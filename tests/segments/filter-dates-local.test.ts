import { beforeAll, expect, test } from 'vitest';
import { observe } from '../support/observe-person.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

let org: TestOrg;
let [before, after] = ['', ''];
beforeAll(async () => {
  org = await world().newOrg();
  await org.rest('PATCH /v1/settings', { timezone: 'Europe/Paris' });
  before = await org.person({ email: 'before@example.com' });
  after = await org.person({ email: 'after@example.com' });
  // The year begins in Paris an hour before it does in Greenwich.
  await observe(world(), before, { created_at: '2025-12-31T22:59:59Z' });
  await observe(world(), after, { created_at: '2025-12-31T23:00:00Z' });
});

test.each([
  ['2026-01-01', '2026-01-01T00:00:00.000+01:00'],
  ['2026-01-01T00:00', '2026-01-01T00:00:00.000+01:00'],
  ['2026-01-01T00:00:00', '2026-01-01T00:00:00.000+01:00'],
])(
  'DEC-004 SEG-037 %s is read in the time zone of the organization, stored with its offset, and told',
  async (sent, stored) => {
    const filters = [{ property: 'created_at', op: 'gte', value: sent }];
    const made = await org.rest('POST /v1/segments', { name: 'This year', filters });
    expect(made.status).toBe(201);
    const { segment } = made.body;
    expect(segment.filters).toEqual([{ property: 'created_at', op: 'gte', value: stored }]);
    expect(segment.warnings).toMatchObject([{ pointer: '/filters/0/value', code: 'zone_assumed' }]);
    expect(segment.warnings[0].detail).toContain('Europe/Paris');
    const members = (await org.rest(`GET /v1/segments/${segment.id}/members`)).body.people;
    expect(members.map(({ id }: { id: string }) => id)).toEqual([after]);
    expect((await org.rest(`GET /v1/segments/${segment.id}`)).body.segment.warnings).toEqual([]);
    const changed = await org.rest(`PATCH /v1/segments/${segment.id}`, { filters });
    expect(changed.body.segment).toMatchObject({
      warnings: [{ code: 'zone_assumed' }],
      filters: [{ value: stored }],
    });
    const previewed = (await org.rest('POST /v1/segments/preview', { filters })).body;
    expect(previewed).toMatchObject({ count: 1, warnings: [{ code: 'zone_assumed' }] });
  },
);

test('DEC-004 PPL-033 list_people reads created_after and created_before the same way', async () => {
  const listed = async (query: string) => (await org.rest(`GET /v1/people?${query}`)).body;
  const since = await listed('created_after=2026-01-01');
  expect(since.people.map(({ id }: { id: string }) => id)).toEqual([after]);
  expect(since.warnings).toMatchObject([{ pointer: '/created_after', code: 'zone_assumed' }]);
  const until = (await org.tool('list_people', { created_before: '2025-12-31T23:59:59' })).body;
  expect(until.people.map(({ id }: { id: string }) => id)).toEqual([before]);
  expect(until.warnings).toHaveLength(1);
  expect(await listed('created_after=2026-01-01T00:00:00Z')).not.toHaveProperty('warnings');
});

test.each(['2026-02-30', '2026-13-01', '2026-01-01T25:00', '2026-01', '01/02/2026', '2026-01-01 10:00'])(
  '%s is no date',
  async (value) => {
    const filters = [{ property: 'created_at', op: 'gte', value }];
    expect((await org.rest('POST /v1/segments', { name: 'None', filters })).status).toBe(400);
    const { status, body } = await org.rest(`GET /v1/people?created_after=${encodeURIComponent(value)}`);
    expect({ status, at: body.errors?.[0].pointer }).toEqual({ status: 400, at: '/created_after' });
  },
);
