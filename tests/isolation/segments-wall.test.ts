import { beforeAll, expect, test } from 'vitest';
import { checksums } from '../support/furnish.ts';
import { listMembers, newSegment } from '../support/segment.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { settle } from './furnished-orgs.ts';

const world = useWorld();

interface Furnished {
  readonly org: TestOrg;
  readonly person: string;
  readonly config: string;
  readonly segment: string;
  readonly system: string;
}

const condition = { custom_property_key: 'tier', op: 'eq', value: 'pro' };

/** The same address, key, value and conditions in every organization: only the wall tells them apart. */
async function newFurnished(): Promise<Furnished> {
  const org = await world().newOrg();
  const person = await org.person({ email: 'ada@example.com', first_name: 'Ada' });
  const made = await org.tool('create_property_config', { key: 'tier', name: 'Tier', type: 'string' });
  await org.tool('set_person_property', { person_id: person, key: 'tier', value: 'pro' });
  const segment = await newSegment(org, [condition]);
  const { segments } = (await org.tool('list_segments')).body;
  const { id: system } = segments.find((one: { is_system: boolean }) => one.is_system);
  return { org, person, config: made.body.property_config.id, segment, system };
}

let ours: Furnished;
let theirs: Furnished;
beforeAll(async () => {
  ours = await newFurnished();
  theirs = await newFurnished();
  await settle(world(), ours.org, theirs.org);
});

const attempts: [what: string, call: (org: TestOrg, id: string) => Promise<{ body: object }>][] = [
  ['get_segment', (org, segment_id) => org.tool('get_segment', { segment_id })],
  ['GET', (org, id) => org.rest(`GET /v1/segments/${id}`)],
  ['list_segment_members', (org, segment_id) => org.tool('list_segment_members', { segment_id })],
  ['GET members', (org, id) => org.rest(`GET /v1/segments/${id}/members`)],
  ['update_segment', (org, segment_id) => org.tool('update_segment', { segment_id, name: 'Taken over' })],
  ['PATCH', (org, id) => org.rest(`PATCH /v1/segments/${id}`, { filters: [condition] })],
  ['delete_segment', (org, segment_id) => org.tool('delete_segment', { segment_id })],
  ['DELETE', (org, id) => org.rest(`DELETE /v1/segments/${id}`)],
  ['list_people', (org, segment_id) => org.tool('list_people', { segment_id })],
  ['GET people', (org, id) => org.rest(`GET /v1/people?segment_id=${id}&identified=true`)],
];

test.each(attempts)('TEN-010 %s finds no segment of another organization', async (_, call) => {
  const before = await checksums(world().admin);
  for (const id of [theirs.segment, theirs.system]) {
    const { body } = await call(ours.org, id);
    expect(body).toMatchObject({
      status: 404,
      code: 'not_found',
      detail: 'No segment with this id exists in this organization.',
    });
    expect(JSON.stringify(body)).not.toMatch(/a segment"|tier|email/i);
  }
  expect(await checksums(world().admin)).toEqual(before);
});

test('TEN-017 list_segments and list_property_configs answer what is the organization’s own, total included', async () => {
  for (const [mine, other] of [
    [ours, theirs],
    [theirs, ours],
  ] as const) {
    for (const { body } of [await mine.org.tool('list_segments'), await mine.org.rest('GET /v1/segments')]) {
      const ids = body.segments.map(({ id }: { id: string }) => id);
      expect(ids).toEqual(expect.arrayContaining([mine.segment, mine.system]));
      expect(ids).not.toContain(other.segment);
      expect(ids).not.toContain(other.system);
      expect({ listed: ids.length, total: body.total }).toEqual({ listed: 6, total: 6 });
    }
    for (const { body } of [
      await mine.org.tool('list_property_configs'),
      await mine.org.rest('GET /v1/property-configs'),
    ]) {
      expect(body.property_configs).toMatchObject([{ id: mine.config, key: 'tier' }]);
    }
  }
});

test('TEN-001 the same conditions match for each organization its own people, saved and previewed', async () => {
  for (const { org, person, segment } of [ours, theirs]) {
    expect(await listMembers(org, segment)).toEqual([person]);
    const listed = await org.tool('list_people', { segment_id: segment });
    expect(listed.body).toMatchObject({ total: 1, people: [{ id: person }] });
    for (const filters of [
      [condition],
      [{ property: 'first_name', op: 'eq', value: 'Ada' }],
      [{ property: 'primary_email', op: 'contains', value: 'example' }],
      [{ custom_property_key: 'tier', op: 'neq', value: 'free' }],
      [{ property: 'created_at', op: 'lte', value: 'now' }],
    ]) {
      const { body } = await org.rest('POST /v1/segments/preview', { filters });
      expect(body).toMatchObject({ count: 1, reachable_by_email: 1, samples: [{ id: person }] });
    }
  }
});

test('TEN-001 a property that only another organization has cannot be asked about', async () => {
  await theirs.org.tool('create_property_config', { key: 'secret', name: 'Secret', type: 'string' });
  const filters = [{ custom_property_key: 'secret', op: 'is_empty' }];
  for (const answer of [
    await ours.org.rest('POST /v1/segments', { name: 'A segment', filters }),
    await ours.org.rest('POST /v1/segments/preview', { filters }),
  ]) {
    expect(answer.body).toMatchObject({
      status: 400,
      errors: [{ code: 'unknown_property', allowed: ['tier'] }],
    });
  }
});

test('TEN-001 an opt-out and a blacklist entry in one organization do not touch the other’s reach', async () => {
  await theirs.org.tool('set_opt_outs', { person_id: theirs.person, email_opt_out: true, sms_opt_out: true });
  await world().admin.query(
    `insert into email_blacklist (org_id, id, person_id, email, reason, created_at)
     values ($1, gen_random_uuid(), $2, 'ada@example.com', 'complained', now())`,
    [theirs.org.id, theirs.person],
  );
  const reach = async ({ org }: Furnished): Promise<number> =>
    (await org.rest('POST /v1/segments/preview', { filters: [condition] })).body.reachable_by_email;
  expect([await reach(ours), await reach(theirs)]).toEqual([1, 0]);
});

test('TEN-001 one id in two organizations names for each its own segment, to read and to write', async () => {
  const { segment: id } = ours;
  await world().admin.query(
    `insert into segments (org_id, id, name, filters, created_at, updated_at)
     values ($1, $2, 'Second', '[{"property": "first_name", "op": "eq", "value": "Nobody"}]', now(), now())`,
    [theirs.org.id, id],
  );
  const nameIn = async ({ org }: Furnished) => (await org.rest(`GET /v1/segments/${id}`)).body.segment.name;
  expect([await nameIn(ours), await nameIn(theirs)]).toEqual(['A segment', 'Second']);
  expect([await listMembers(ours.org, id), await listMembers(theirs.org, id)]).toEqual([[ours.person], []]);
  await theirs.org.tool('update_segment', { segment_id: id, name: 'Renamed' });
  expect([await nameIn(ours), await nameIn(theirs)]).toEqual(['A segment', 'Renamed']);
  expect((await theirs.org.tool('delete_segment', { segment_id: id })).isError).toBe(false);
  expect(await listMembers(ours.org, id)).toEqual([ours.person]);
  expect((await theirs.org.rest(`GET /v1/segments/${id}`)).status).toBe(404);
});
