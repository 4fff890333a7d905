// Values that were there before the pages were.
import { expect, test } from 'vitest';
import { runMigrations } from '../../src/database/run-migrations.ts';
import { useDatabaseBefore } from '../support/earlier-database.ts';
import { cellsOf, differences } from './page-mirror.ts';

const earlier = useDatabaseBefore('property-pages');

const person = (n: number) => `0190c0de-0000-7000-8000-00000000000${n}`;

test('the migration gives every property a place by age and brings all values into the pages', async () => {
  const { admin, url } = earlier();
  await admin.query(`
    insert into organizations (id, name, mode, created_at)
      select gen_random_uuid(), 'Organization ' || n, 'test', now() from generate_series(1, 2) n;
    insert into property_configs (org_id, id, key, name, type, created_at)
      select o.id, gen_random_uuid(), type || '_' || n, 'A key', type, now() - n * interval '1 day'
      from organizations o, unnest(array['string', 'number', 'boolean']) type, generate_series(0, 19) n;
    insert into people (org_id, id, created_at, updated_at)
      select o.id, format('0190c0de-0000-7000-8000-00000000000%s', n + case o.name when 'Organization 1' then 0 else 3 end)::uuid, now(), now()
      from organizations o, generate_series(1, 3) n`);
  // The first of each organization has all values, the second a long text and a cleared number, the third none.
  await admin.query(
    `insert into property_values (org_id, person_id, config_id, text_value, number_value, boolean_value, changed_by, created_at)
     select org_id, p.id, c.id, case type when 'string' then key end, case type when 'number' then length(key) end,
       case type when 'boolean' then length(key) = 9 end, new_id(now()), now()
     from people p join property_configs c using (org_id) where p.id = any($1)
     union all
     select org_id, p.id, c.id, case type when 'string' then repeat('é', 300) end, null, null, new_id(now()), now()
     from people p join property_configs c using (org_id) where p.id = any($2) and key in ('string_0', 'number_0')`,
    [
      [person(1), person(4)],
      [person(2), person(5)],
    ],
  );

  expect(await runMigrations(url)).toContainEqual(expect.stringMatching(/-property-pages\.sql$/));
  expect(await differences(admin)).toEqual([]);

  const { rows } =
    await admin.query(`select type, array_agg(key order by slot) as keys, array_agg(slot order by slot) as slots
    from property_configs group by org_id, type`);
  expect(rows).toHaveLength(6);
  for (const { type, keys, slots } of rows) {
    // The higher its number, the older the property.
    expect(keys).toEqual(Array.from({ length: 20 }, (_, n) => `${type}_${19 - n}`));
    expect(slots).toEqual(Array.from({ length: 20 }, (_, n) => n));
  }
  const whole = await cellsOf(admin, person(1));
  expect(Object.keys(whole)).toHaveLength(60);
  expect(whole).toMatchObject({
    '0.t0': 'string_19',
    '2.t3': 'string_0',
    '2.n3': 8,
    '1.b3': true,
    '0.b0': false,
  });
  expect(await cellsOf(admin, person(4))).toEqual(whole);
  expect(await cellsOf(admin, person(2))).toEqual({
    '2.t3': expect.stringMatching(/^é{100}[0-9a-f]{32}-+$/),
  });
  expect(await cellsOf(admin, person(3))).toEqual({});

  await admin.query(`delete from property_values where text_value = 'string_0';
    update property_values set number_value = 7 where number_value is null and text_value is null and boolean_value is null`);
  expect(await differences(admin)).toEqual([]);
  expect(await cellsOf(admin, person(2))).toHaveProperty(['2.n3'], 7);
  expect(await cellsOf(admin, person(1))).not.toHaveProperty(['2.t3']);
});
