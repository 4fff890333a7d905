import pg from 'pg';
import { expect, test } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ engine: true });
const many = 200; // more than the engine has places

const seatsOf = async (org: TestOrg, person_id: string): Promise<unknown> =>
  (await org.tool('get_person', { person_id })).body.person.custom_properties.seats?.value;

async function newSeatsOrg(): Promise<TestOrg> {
  const org = await world().newOrg();
  await org.rest('POST /v1/property-configs', { key: 'seats', name: 'Seats', type: 'number' });
  return org;
}

/** Changes as `identify_person` leaves them. */
const requestMany = (org: TestOrg, person: string): Promise<unknown> =>
  world().admin.query(
    `with made as (
       insert into property_changes (org_id, id, person_id, changes, requested_at, request_id)
       select $1, new_id(now()), $2, jsonb_build_object(c.id, n), now(), 'r'
       from property_configs c, generate_series(1, $3::int) n where c.org_id = $1 and c.key = 'seats'
       returning id)
     insert into outbox (org_id, service, handler, payload, created_at)
     select $1, 'PersonProperties', 'apply',
       jsonb_build_object('org_id', $1::text, 'change_id', id, 'request_id', 'r'), now() from made`,
    [org.id, person, many],
  );

const countOf = async (table: 'outbox' | 'property_changes', org: TestOrg): Promise<number> => {
  const { rows } = await world().admin.query<{ n: number }>(
    `select count(*)::int as n from ${table} where org_id = $1`,
    [org.id],
  );
  return rows[0]!.n;
};

test('changes of one organization that wait hold up nobody else, and are made in the end', async () => {
  const [busy, other] = [await newSeatsOrg(), await newSeatsOrg()];
  const held = await busy.person({ email: 'held@example.com' });
  const client = new pg.Client({ connectionString: world().databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query('select from people where org_id = $1 and id = $2 for no key update', [busy.id, held]);
  await requestMany(busy, held);
  await expect.poll(() => countOf('outbox', busy), { timeout: 30_000 }).toBe(0);
  const person = await other.person({ email: 'a@example.com', custom_properties: { seats: 3 } });
  await expect.poll(() => seatsOf(other, person), { timeout: 5_000 }).toBe(3);
  expect(await countOf('property_changes', busy)).toBe(many);
  await client.query('commit');
  await client.end();
  await expect.poll(() => countOf('property_changes', busy), { timeout: 60_000 }).toBe(0);
  expect(await seatsOf(busy, held)).toEqual(expect.any(Number));
});
