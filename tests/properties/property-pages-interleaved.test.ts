// Every two changes about the same people, the second called while the first is done but for its commit.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import { applyChanges } from '../../src/domain/properties/apply-changes.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { finishRemovals } from '../support/removals.ts';
import type { TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { cellsOf, differences } from './page-mirror.ts';

const world = useWorld();

interface Scene {
  /** Both have `tier` and `seats`. The first has nothing else, the second a city. */
  readonly person: string;
  readonly other: string;
  readonly tier: string;
  /** What identify_person left to be applied to the first. */
  readonly change: string;
}

type Change = (org: TestOrg, scene: Scene) => Promise<{ status: number }>;

const put = (org: TestOrg, person: string, key: string, value: unknown) =>
  org.rest(`PUT /v1/people/${person}/properties/${key}`, { value });

const changes: Record<string, Change> = {
  'set again': (org, { person }) => put(org, person, 'tier', 'gold'),
  'set beside it': (org, { person }) => put(org, person, 'plan', 'yearly'),
  'set another type': (org, { person }) => put(org, person, 'vip', true),
  'set on a new page': (org, { person }) => put(org, person, 'far', 'away'),
  'set the same for another': (org, { other }) => put(org, other, 'tier', 'silver'),
  clear: (org, { person }) => put(org, person, 'tier', null),
  remove: (org, { person }) => org.rest(`DELETE /v1/people/${person}/properties/tier`),
  'delete the property': (org, { tier }) => org.rest(`DELETE /v1/property-configs/${tier}`),
  'create a property': (org) =>
    org.rest('POST /v1/property-configs', {
      key: `new_${org.keyId.replaceAll('-', '')}`,
      name: 'N',
      type: 'string',
    }),
  'merge the other into it': (org) =>
    org.rest('POST /v1/people/identify', { external_user_id: 'a', email: 'b@example.com' }),
  'merge it into the other': (org) =>
    org.rest('POST /v1/people/identify', { payment_customer_id: 'b', phone: '1' }),
  'delete the person': (org, { person }) => org.rest(`DELETE /v1/people/${person}`),
  'apply what was identified': async (org, { change }) => {
    const database = org === held ? openDatabase(heldPool) : world().database;
    return { status: (await applyChanges(database, org.id, change)) ? 200 : 404 };
  },
};

const gate = 7_402_117;
let free: TestOrg;
let held: TestOrg;
let heldPool: ReturnType<typeof openPool>;
beforeAll(async () => {
  free = await world().newOrg();
  held = await world().newKey(free, ['people.read', 'people.write', 'people.delete']);
  const url = `${world().databaseUrl}?options=-c%20test.held%3Don`;
  heldPool = openPool({ url, size: 1, onError: () => undefined });
  // A change writes its line in the log last, and one by the key that is held waits there. What the engine applies has
  // no line, and waits at its commit.
  await world().admin.query(`
    create function wait_at_gate() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(${gate});
      return null;
    end $$;
    create trigger wait_at_gate after insert on audit_log
      for each row when (new.actor_id = '${held.keyId}') execute function wait_at_gate();
    create constraint trigger wait_at_gate after delete on property_changes deferrable initially deferred
      for each row when (current_setting('test.held', true) = 'on') execute function wait_at_gate()`);
});
afterAll(() => heldPool.end());

/** The statuses of two calls, the second made before the first is committed, and whether it had to wait for that. */
async function interleave(first: Change, second: Change, scene: Scene) {
  const { admin } = world();
  await admin.query('select pg_advisory_lock($1)', [gate]);
  let done = false;
  const before = first(held, scene).finally(() => (done = true));
  await untilWaiting(1, () => done);
  done = false;
  const after = second(free, scene).finally(() => (done = true));
  await untilWaiting(2, () => done);
  const waited = !done;
  await admin.query('select pg_advisory_unlock($1)', [gate]);
  return { statuses: [(await before).status, (await after).status], waited };
}

const names = Object.keys(changes);

test.each(names)('%s, and anything else before it is committed', async (first) => {
  let met = 0;
  // In the gate a quarter of them, by turns, so that each comes second some time.
  const seconds = names.filter((_, at) => isLong || (at - names.indexOf(first)) % 4 === 0);
  for (const second of seconds) {
    const { statuses, waited } = await interleave(changes[first]!, changes[second]!, await arrange());
    expect([second, ...statuses]).toEqual([
      second,
      expect.toBeOneOf([200, 201]),
      expect.toBeOneOf([200, 201, 404]),
    ]);
    // A property whose people were busy leaves its values to the engine.
    await finishRemovals(world(), free);
    expect([second, ...(await differences(world().admin))]).toEqual([second]);
    if (waited) met++;
  }
  // Changes that never wait for each other would prove nothing.
  expect(met).toBeGreaterThan(0);
});

test('a value that is applied while its person is merged goes along', async () => {
  const { admin } = world();
  const scene = await arrange();
  await admin.query(
    'update property_changes set changes = jsonb_build_object($1::text, changes -> $1::text)',
    [scene.tier],
  );
  await admin.query('delete from property_values where person_id = $1', [scene.other]);
  const merge = changes['merge it into the other']!;
  const { statuses, waited } = await interleave(changes['apply what was identified']!, merge, scene);
  expect([...statuses, waited]).toEqual([200, 200, true]);
  expect(await cellsOf(admin, scene.other)).toEqual({ '0.t0': 'applied', '0.n0': 7 });
  expect(await differences(admin)).toEqual([]);
});

/** The organization as if nothing had been there before. */
async function arrange(): Promise<Scene> {
  const { admin } = world();
  for (const table of ['people', 'property_configs']) await admin.query(`delete from ${table}`);
  await admin.query(
    `insert into property_configs (org_id, id, key, name, type, created_at)
     select $1, gen_random_uuid(), key, key, type, now()
     from unnest(array['tier', 'city', 'plan', 'a', 'b', 'c', 'd', 'e', 'far', 'seats', 'vip'],
       array_fill('string'::text, array[9]) || array['number', 'boolean']) with ordinality as p(key, type, n)
     order by n`,
    [free.id],
  );
  const custom_properties = { tier: 'applied', plan: 'applied', vip: false };
  const person = await free.person({ external_user_id: 'a', phone: '1', custom_properties });
  const other = await free.person({ payment_customer_id: 'b', email: 'b@example.com' });
  await admin.query(
    `insert into property_values (org_id, person_id, config_id, text_value, number_value, changed_by, created_at)
     select org_id, person, id, case type when 'string' then 'old' end, case type when 'number' then 7 end, $3, now()
     from property_configs, unnest($1::uuid[]) person
     where key in ('tier', 'seats') or key = 'city' and person = $2`,
    [[person, other], other, '00000000-0000-7000-8000-000000000000'],
  );
  const { rows } = await admin.query(
    `select c.id as tier, h.id as change from property_configs c, property_changes h where c.key = 'tier'`,
  );
  return { person, other, ...rows[0] };
}

/** Until so many of the service's transactions wait for a lock, or there is nothing more to wait for. */
async function untilWaiting(count: number, over: () => boolean = () => false): Promise<void> {
  for (;;) {
    if (over() || (await lockWaits(world().admin)) >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
