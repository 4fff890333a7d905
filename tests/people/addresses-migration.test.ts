// People and numbers that were there before numbers were compared in one form.
import { expect, test } from 'vitest';
import { runMigrations } from '../../src/database/run-migrations.ts';
import { useDatabaseBefore } from '../support/earlier-database.ts';

const earlier = useDatabaseBefore('addresses');

test('the migration writes numbers in one form, leaves those that are there twice, and finds where email goes', async () => {
  const { admin, url } = earlier();
  const org = '0190c0de-0000-7000-8000-000000000001';
  await admin.query(`
    insert into organizations (id, name, mode, created_at) values ('${org}', 'One', 'test', now());
    insert into people (org_id, id, primary_email, primary_contact_method, created_at, updated_at)
      select '${org}', format('0190c0de-0000-7000-8000-0000000000a%s', n)::uuid,
        case n when 1 then 'primary@example.com' end, case n when 1 then 'email' end, now(), now()
      from generate_series(1, 4) n`);
  const add = (person: number, type: string, value: string, contact = true, at = 1) =>
    admin.query(
      `insert into identifiers (org_id, id, person_id, type, value, is_contact_method, created_at)
       values ($1, gen_random_uuid(), $2, $3, $4, $5, now() + $6 * interval '1 second')`,
      [org, `0190c0de-0000-7000-8000-0000000000a${person}`, type, value, contact, at],
    );
  await add(1, 'email', 'primary@example.com');
  await add(2, 'email', 'silent@example.com', false, 1);
  await add(2, 'email', 'newer@example.com', true, 3);
  await add(2, 'email', 'older@example.com', true, 2);
  await add(1, 'phone', '+1 (415) 555-1000');
  await add(1, 'phone', '+14155552000', true, 9);
  await add(2, 'phone', '+1 415 555 2000');
  await add(3, 'phone', '+1-415-555-3000', true, 2);
  await add(4, 'phone', '+1.415.555.3000', true, 1);
  await add(4, 'phone', '415 555 4000');
  await runMigrations(url);
  const { rows: phones } = await admin.query(
    'select value, typed from identifiers where type = \'phone\' order by value collate "C"',
  );
  expect(phones.map(({ value, typed }) => [value, typed])).toEqual([
    ['+1 415 555 2000', null],
    ['+1-415-555-3000', null],
    ['+14155551000', '+1 (415) 555-1000'],
    ['+14155552000', null],
    ['+14155553000', '+1.415.555.3000'],
    ['415 555 4000', null],
  ]);
  const { rows: people } = await admin.query('select other_email from people order by id');
  expect(people.map(({ other_email }) => other_email)).toEqual([null, 'older@example.com', null, null]);
});
