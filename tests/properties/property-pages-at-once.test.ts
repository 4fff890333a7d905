// Many calls about the same people and properties at the same moment.
import { expect, test } from 'vitest';
import type { PropertyType } from '../../src/domain/properties/property-config.ts';
import { applyChanges } from '../../src/domain/properties/apply-changes.ts';
import { finishRemovals } from '../support/removals.ts';
import type { RestAnswer, TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { cellsOf, differences, newProperty } from './page-mirror.ts';

const world = useWorld();

const types = ['string', 'number', 'boolean'] as const;
const typeOf = (n: number): PropertyType => types[n % 3]!;
const valueOf = (type: PropertyType, n: number) =>
  ({ string: `text ${n}`, number: n, boolean: n % 2 === 0 })[type];

const put = (org: TestOrg, person: string, key: string, value: unknown) =>
  org.rest(`PUT /v1/people/${person}/properties/${key}`, { value });

const create = (org: TestOrg, key: string, type: PropertyType) =>
  org.rest('POST /v1/property-configs', { key, name: key, type });

const statuses = (answers: readonly RestAnswer[]): number[] => [
  ...new Set(answers.map(({ status }) => status)),
];

test('the first values of somebody, for forty properties at once, all stand in the pages', async () => {
  const org = await world().newOrg();
  const keys = Array.from({ length: 40 }, (_, n) => `key_${n}`);
  for (const [n, key] of keys.entries()) await newProperty(org, key, typeOf(n));
  const person = await org.person({ email: 'ada@example.com' });
  const answers = await Promise.all(keys.map((key, n) => put(org, person, key, valueOf(typeOf(n), n))));
  expect(statuses(answers)).toEqual([200]);
  expect(Object.keys(await cellsOf(world().admin, person))).toHaveLength(40);
  expect(await differences(world().admin)).toEqual([]);
});

test('of many values for one property at once one stands, the same in both places', async () => {
  const org = await world().newOrg();
  await newProperty(org, 'seats', 'number');
  const person = await org.person({ email: 'ada@example.com' });
  const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => put(org, person, 'seats', n)));
  expect(statuses(answers)).toEqual([200]);
  const { body } = await org.rest(`GET /v1/people/${person}/properties`);
  expect(await cellsOf(world().admin, person)).toEqual({ '0.n0': body.properties[0].value });
  expect(await differences(world().admin)).toEqual([]);
});

test('properties created at once get a place each, and none of them has to try again', async () => {
  const { admin } = world();
  await admin.query(`
    create sequence tries;
    grant usage on tries to rostrum_app;
    create function count_try() returns trigger language plpgsql as $$
    begin
      perform nextval('tries');
      return new;
    end $$;
    create trigger count_try before insert on property_configs for each row execute function count_try()`);
  const org = await world().newOrg();
  const answers = await Promise.all(Array.from({ length: 90 }, (_, n) => create(org, `key_${n}`, typeOf(n))));
  expect(statuses(answers)).toEqual([201]);
  const { rows } = await admin.query(
    `select type, array_agg(slot order by slot) as slots from property_configs where org_id = $1 group by 1`,
    [org.id],
  );
  const slots = Array.from({ length: 30 }, (_, n) => n);
  expect(rows).toHaveLength(3);
  for (const row of rows) expect(row.slots).toEqual(slots);
  expect((await admin.query('select last_value::int as tries from tries')).rows).toEqual([{ tries: 90 }]);
  await admin.query('drop function count_try cascade');
  expect(await differences(world().admin)).toEqual([]);
});

test('of properties created at once none goes beyond the three hundred', async () => {
  const { admin } = world();
  const org = await world().newOrg();
  await admin.query(
    `insert into property_configs (org_id, id, key, name, type, created_at)
     select $1, gen_random_uuid(), 'key_' || n, 'A key', (array['string', 'number', 'boolean'])[1 + n % 3], now()
     from generate_series(0, 296) n`,
    [org.id],
  );
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => create(org, `more_${n}`, typeOf(n))),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(answers.filter(({ body }) => body.code === 'invalid_request')).toHaveLength(27);
  expect(await differences(world().admin)).toEqual([]);
});

test('values are set, cleared, removed and applied while properties are deleted and created', async () => {
  const { admin, database } = world();
  const org = await world().newOrg();
  const configs = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => newProperty(org, `key_${n}`, typeOf(n))),
  );
  const people = await Promise.all([1, 2, 3].map((n) => org.person({ external_user_id: `user ${n}` })));
  const custom_properties = Object.fromEntries(configs.map((_, n) => [`key_${n}`, valueOf(typeOf(n), n)]));
  for (let round = 0; round < 8; round++) {
    for (const n of [1, 2, 3]) await org.person({ external_user_id: `user ${n}`, custom_properties });
  }
  const { rows: due } = await admin.query<{ id: string }>('select id from property_changes');
  expect(due).toHaveLength(24);

  const calls: (() => Promise<{ status: number }>)[] = [];
  for (let n = 0; n < 240; n++) {
    const person = people[n % 3]!;
    const at = Math.floor(n / 3) % 12;
    const key = `key_${at}`;
    calls.push(() => put(org, person, key, n % 7 === 0 ? null : valueOf(typeOf(at), n)));
    if (n % 4 === 0) calls.push(() => org.rest(`DELETE /v1/people/${person}/properties/${key}`));
    if (n % 10 === 0) {
      calls.push(async () => ({
        status: (await applyChanges(database, org.id, due[n / 10]!.id)) ? 200 : 500,
      }));
    }
    if (n % 20 === 0) {
      calls.push(() => org.rest(`DELETE /v1/property-configs/${configs[n / 20]}`));
      calls.push(() => create(org, `new_${n}`, typeOf(n / 20)));
      calls.push(() => create(org, `key_${n / 20}`, typeOf(n / 20)));
    }
  }
  const seen = await sixteenAtATime(calls);
  expect(seen).toEqual(expect.arrayContaining([200, 201]));
  expect(seen.filter((status) => ![200, 201, 404, 409].includes(status))).toEqual([]);
  await finishRemovals(world(), org);
  expect(await differences(world().admin)).toEqual([]);
});

/** As many as the service has connections for, so that none waits long for one. */
async function sixteenAtATime(calls: readonly (() => Promise<{ status: number }>)[]): Promise<number[]> {
  const seen = new Set<number>();
  const waiting = calls.values();
  const work = async (): Promise<void> => {
    for (const call of waiting) seen.add((await call()).status);
  };
  await Promise.all(Array.from({ length: 16 }, work));
  return [...seen];
}
