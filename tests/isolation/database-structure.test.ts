import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { wallBreaches } from './wall-breaches.ts';

const world = useWorld();

test('TEN-001 every table forces row level security by organization and is keyed by it', async () => {
  expect(await wallBreaches(world().admin)).toEqual([]);
});

// A check that reads nothing would also find no breach: each of these must be noticed.
const columns = 'org_id uuid not null references organizations (id), id uuid not null';
const table = `create table planted (${columns}, primary key (org_id, id));`;
const force = 'alter table planted enable row level security; alter table planted force row level security;';
const policy = `create policy tenant on planted to rostrum_app
  using (org_id = (select current_org())) with check (org_id = (select current_org()));`;

test.each([
  {
    planted: 'a table without row level security',
    sql: table,
    breaches: [
      'planted does not force row level security on its owner',
      'planted has no policy for rostrum_app',
      'planted has no row level security',
    ],
  },
  {
    planted: 'a table whose owner reads past the policy',
    sql: `${table} alter table planted enable row level security; ${policy}`,
    breaches: ['planted does not force row level security on its owner'],
  },
  {
    planted: 'a table with a further policy that is open to everybody',
    sql: `${table} ${force} ${policy} create policy wide on planted for select using (true)`,
    breaches: ['planted lets rostrum_app see more than one organization by its policy wide'],
  },
  {
    planted: 'a table keyed by its own id first',
    sql: `create table planted (${columns}, primary key (id, org_id)); ${force} ${policy}`,
    breaches: ['planted has no primary key that begins with org_id'],
  },
  {
    planted: 'a table that refers to rows of any organization',
    sql: `create table anything (org_id uuid, id uuid unique, primary key (org_id, id));
      create table planted (${columns}, of uuid references anything (id), primary key (org_id, id)); ${force} ${policy}`,
    breaches: ['planted refers by planted_of_fkey to a row without naming its organization'],
  },
  {
    planted: 'a view with the rights of its owner',
    sql: 'create view planted as select * from people',
    breaches: ['planted is a view that reads with the rights of its owner'],
  },
  {
    planted: 'a partition with rights of its own',
    sql: `create table whole (${columns}, primary key (org_id, id)) partition by list (id);
      create table planted partition of whole default; grant select on planted to rostrum_app`,
    breaches: ['planted can be reached past the policy of the table it is a part of'],
  },
  {
    planted: 'a month that relies on the whole table',
    sql: `create table whole (${columns}, primary key (org_id, id)) partition by range (id);
      create table planted partition of whole default`,
    breaches: ['planted is a month that does not force row level security by itself'],
  },
  {
    planted: 'a table like every other',
    sql: `${table} ${force} ${policy}`,
    breaches: [],
  },
])('$planted is noticed for what it is', async ({ sql, breaches }) => {
  const { admin } = world();
  await admin.query('begin');
  try {
    await admin.query(sql);
    const found = await wallBreaches(admin);
    expect(found.filter((breach) => breach.startsWith('planted '))).toEqual(breaches);
  } finally {
    await admin.query('rollback');
  }
});
