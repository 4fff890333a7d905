// Many values of a deleted property are removed in parts, after the answer.
import pg from 'pg';
import { expect, test } from 'vitest';
import { withRows } from '../support/import.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { many, finishRemovals, peopleWithValues, removalsOf, removeSome } from '../support/removals.ts';
import { listMembers, newSegment } from '../support/segment.ts';
import type { TestOrg } from '../support/test-org.ts';
import { createWebinar, registerFor } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';
import { cellsOf, differences, newProperty, setAll } from './page-mirror.ts';

const world = useWorld();

/** An organization with two properties, tier and seats, and many people who have both. */
async function arrange() {
  const org = await world().newOrg();
  const tier = await newProperty(org, 'tier', 'string');
  const seats = await newProperty(org, 'seats', 'number');
  return { org, tier, seats, people: await peopleWithValues(world(), org) };
}

const deleteConfig = (org: TestOrg, id: string) => org.rest(`DELETE /v1/property-configs/${id}`);

const keysOf = async (org: TestOrg, person: string): Promise<unknown> => [
  Object.keys((await org.rest(`GET /v1/people/${person}`)).body.person.custom_properties),
  (await org.rest(`GET /v1/people/${person}/properties`)).body.properties.map(
    ({ key }: { key: string }) => key,
  ),
];

const matching = async (org: TestOrg, op: string, value?: unknown): Promise<number> => {
  const filters = [{ custom_property_key: 'tier', op, ...(value !== undefined && { value }) }];
  const { status, body } = await org.rest('POST /v1/segments/preview', { filters });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.count;
};

test('PRP-016 PRP-018 many values are counted and out of sight at once, wherever they are read', async () => {
  const { org, tier, people } = await arrange();
  const person = people[1]!;
  const segment = await newSegment(org, [{ custom_property_key: 'tier', op: 'eq', value: 'old' }]);
  expect(await matching(org, 'eq', 'old')).toBe(many);
  const import_id = await withRows(org, { Mail: 'email', Tier: { property: 'tier' } }, [
    { Mail: 'ann@example.com', Tier: 'x' },
  ]);

  expect((await deleteConfig(org, tier)).body).toEqual({ deleted: true, deleted_values: many });
  expect(await removalsOf(world(), org)).toEqual([[tier, many]]);

  expect(await keysOf(org, person)).toEqual([['seats'], ['seats']]);
  const listed = (await org.rest('GET /v1/property-configs')).body.property_configs;
  expect(listed.map(({ key }: { key: string }) => key)).toEqual(['seats']);
  const { variables } = (await org.tool('list_broadcast_variables')).body;
  expect(JSON.stringify(variables)).toContain('seats');
  expect(JSON.stringify(variables)).not.toContain('tier');
  expect(await listMembers(org, segment)).toEqual([]);
  expect((await org.rest(`POST /v1/imports/${import_id}/preview`, {})).body.blocked).toContain('tier');
  expect((await org.rest(`PUT /v1/people/${person}/properties/tier`, { value: 'x' })).status).toBe(404);
  expect((await org.rest(`DELETE /v1/people/${person}/properties/tier`)).status).toBe(404);
  expect((await deleteConfig(org, tier)).status).toBe(404);
  await finishRemovals(world(), org);
});

test('PRP-017 the key can be used anew at once, and shows nothing of the old values before or after they go', async () => {
  const { org, tier, people } = await arrange();
  const person = people[0]!;
  await deleteConfig(org, tier);
  const anew = await newProperty(org, 'tier', 'string');
  const unseen = async () => {
    expect(await matching(org, 'eq', 'old')).toBe(0);
    expect(await matching(org, 'is_not_empty')).toBe(1);
    expect(await matching(org, 'is_empty')).toBe(many - 1);
    expect(await matching(org, 'eq', 'new')).toBe(1);
    expect(await keysOf(org, people[7]!)).toEqual([['seats'], ['seats']]);
  };
  await setAll(org, person, { tier: 'new' });
  await unseen();
  expect((await removeSome(world(), org, tier)).outcome).toBe('more');
  await unseen();
  await finishRemovals(world(), org);
  await unseen();
  expect(await cellsOf(world().admin, person)).toEqual({ '0.t1': 'new', '0.n0': 7 });
  expect(await differences(world().admin)).toEqual([]);
  const { rows } = await world().admin.query(
    'select distinct config_id from property_values where org_id = $1',
    [org.id],
  );
  expect(rows.map(({ config_id }) => config_id)).toContain(anew);
  expect(rows.map(({ config_id }) => config_id)).not.toContain(tier);
});

test('the place of a deleted property is given to another only when nobody has a value there', async () => {
  const { org, tier, people } = await arrange();
  await deleteConfig(org, tier);
  const slotOf = async (id: string) =>
    (await world().admin.query('select slot from property_configs where id = $1', [id])).rows[0].slot;
  expect(await slotOf(await newProperty(org, 'first', 'string'))).toBe(1);
  await removeSome(world(), org, tier);
  expect(await slotOf(await newProperty(org, 'second', 'string'))).toBe(2);
  await finishRemovals(world(), org);
  expect(await cellsOf(world().admin, people.at(-1)!)).toEqual({ '0.n0': 7 });
  expect(await slotOf(await newProperty(org, 'third', 'string'))).toBe(0);
});

test('while a part is held up in its middle, registrations with new properties, values and deletions go through', async () => {
  const { org, tier, seats, people } = await arrange();
  const { id } = await createWebinar(org);
  await deleteConfig(org, tier);
  expect(await removeSome(world(), org, tier, 100)).toEqual({ outcome: 'more', after: people[99] });
  const other = new pg.Client({ connectionString: world().databaseUrl });
  await other.connect();
  await other.query('begin');
  await other.query('select 1 from property_pages where person_id = $1 for update', [people[150]]);
  const part = removeSome(world(), org, tier, 100);
  await expect.poll(() => lockWaits(world().admin)).toBe(1);

  const user = { email: 'ann@example.com', properties: { shoe_size: 42, city: 'Oslo' } };
  const registered = await registerFor(org, id, user);
  expect(
    (await org.rest(`GET /v1/people/${registered.org_user_id}`)).body.person.custom_properties,
  ).toMatchObject({
    shoe_size: { value: 42 },
  });
  await newProperty(org, 'tier', 'string');
  await setAll(org, people[300]!, { tier: 'new', seats: 8 });
  expect((await deleteConfig(org, seats)).body).toEqual({ deleted: true, deleted_values: many });

  expect(await lockWaits(world().admin)).toBe(1);
  await other.query('rollback');
  await other.end();
  expect(await part).toEqual({ outcome: 'more', after: people[199] });
  await finishRemovals(world(), org);
  expect(await removalsOf(world(), org)).toEqual([]);
  expect(await differences(world().admin)).toEqual([]);
});

test('two properties are deleted at once, one of them by two callers, and both are emptied side by side', async () => {
  const { org, tier, seats, people } = await arrange();
  const answers = await Promise.all([tier, seats, tier].map((id) => deleteConfig(org, id)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 404]);
  expect(await removalsOf(world(), org)).toHaveLength(2);
  const all = async (config: string): Promise<void> => {
    while ((await removeSome(world(), org, config, 200)).outcome === 'more');
  };
  await Promise.all([all(tier), all(seats), all(tier)]);
  expect(await removalsOf(world(), org)).toEqual([]);
  expect(await cellsOf(world().admin, people[5]!)).toEqual({});
  expect(await differences(world().admin)).toEqual([]);
});

test('people who are merged or deleted meanwhile take nothing of it along', async () => {
  const { org, tier, seats, people } = await arrange();
  const [loser, gone] = [people.at(-1)!, people.at(-2)!];
  const survivor = await org.person({ external_user_id: 'ann' });
  const bind = `insert into identifiers (org_id, id, person_id, type, value, is_primary_for_type, created_at)
    values ($1, gen_random_uuid(), $2, 'email', 'ann@example.com', true, now())`;
  await world().admin.query(bind, [org.id, loser]);
  await deleteConfig(org, tier);
  expect(await org.person({ external_user_id: 'ann', email: 'ann@example.com' })).toBe(survivor);
  expect((await org.rest(`DELETE /v1/people/${gone}`)).status).toBe(200);
  expect(await keysOf(org, survivor)).toEqual([['seats'], ['seats']]);
  expect(await removalsOf(world(), org)).toEqual([[tier, many - 2]]);
  await finishRemovals(world(), org);
  const { rows } = await world().admin.query(
    'select config_id, count(*)::int as n from property_values where org_id = $1 group by 1',
    [org.id],
  );
  expect(rows).toEqual([{ config_id: seats, n: many - 1 }]);
  expect(await differences(world().admin)).toEqual([]);
});

test('a value that is written while its property is deleted is refused, and leaves nothing behind', async () => {
  const { org, tier, people } = await arrange();
  const answers = await Promise.all([
    ...people.slice(0, 12).map((id) => org.rest(`PUT /v1/people/${id}/properties/tier`, { value: 'late' })),
    deleteConfig(org, tier),
    ...people.slice(12, 24).map((id) => org.rest(`PUT /v1/people/${id}/properties/tier`, { value: 'late' })),
  ]);
  for (const { status } of answers) expect(status).toBeOneOf([200, 404]);
  expect(await removalsOf(world(), org)).toEqual([[tier, many]]);
  await finishRemovals(world(), org);
  expect(await differences(world().admin)).toEqual([]);
  expect(await removalsOf(world(), org)).toEqual([]);
});

test('a property cannot go without its values and without somebody to remove them', async () => {
  const { admin } = world();
  const { tier, people } = await arrange();
  const refused = { code: '23503' };
  await expect(admin.query('delete from property_configs where id = $1', [tier])).rejects.toMatchObject(
    refused,
  );
  const orphan = `insert into property_values (org_id, person_id, config_id, changed_by, created_at)
    select org_id, id, gen_random_uuid(), gen_random_uuid(), now() from people where id = $1`;
  await expect(admin.query(orphan, [people[0]])).rejects.toMatchObject(refused);
});

test('deleted properties count towards the limit only when no places are left for them', async () => {
  const org = await world().newOrg();
  const { admin } = world();
  await admin.query(
    `insert into property_configs (org_id, id, key, name, type, created_at)
     select $1, gen_random_uuid(), 'key_' || n, 'A key', 'string', now() from generate_series(1, 300) n`,
    [org.id],
  );
  const move = `with gone as (delete from property_configs where (org_id, id) in (
      select org_id, id from property_configs where org_id = $1 order by slot limit $2) returning *)
    insert into property_removals (org_id, config_id, type, slot, run_at)
    select org_id, id, type, slot, now() from gone`;
  await admin.query(move, [org.id, 6]);
  const create = async (n: number) =>
    (await org.rest('POST /v1/property-configs', { key: `more_${n}`, name: 'More', type: 'string' })).status;
  const statuses: number[] = [];
  for (let n = 0; n < 6; n++) statuses.push(await create(n));
  expect(statuses).toEqual([201, 201, 201, 201, 400, 400]);
  await finishRemovals(world(), org);
  expect(await create(4)).toBe(201);
});
