import { sql } from 'kysely';
import pg from 'pg';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import { runMigrations } from '../../src/database/run-migrations.ts';
import { createOrganization } from '../../src/domain/orgs/create-organization.ts';
import type { OrgId } from '../../src/kernel/ids.ts';
import { seedPeople } from '../../src/main/seed-people.ts';
import { tell } from '../support/command.ts';
import { monthsUntil, type YearsPlan } from './plan.ts';
import { seedDeliveries, seedEvents } from './seed-months.ts';

export interface SeededYears {
  readonly orgs: readonly OrgId[];
  readonly bytesAPerson: number;
}

/** Twelve months of messages and events in organizations that come in turns, one broadcast after another. */
export async function seedYears(url: string, plan: YearsPlan, now: Date): Promise<SeededYears> {
  await runMigrations(url);
  const pool = openPool({ url, size: 2, onError: () => undefined });
  const database = openDatabase(pool);
  const began = performance.now();
  const orgs: OrgId[] = [];
  for (let n = 0; n < plan.organizations; n++) {
    const { org } = await createOrganization(
      database,
      { name: `Y${n}`, mode: 'live' },
      { name: 'first' },
      now,
    );
    orgs.push(org);
    await seedPeople(database, { org, people: plan.people, properties: 5, now });
  }
  await sql`vacuum analyze`.execute(database);
  await pool.end();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`set maintenance_work_mem = '1GB'; set work_mem = '128MB'; set max_parallel_maintenance_workers = 0; set synchronous_commit = off;
      select make_months()`);
    const bytesAPerson = await bytesOfPeople(client, plan.organizations * plan.people);
    tell(`${orgs.length * plan.people} people after ${seconds(began)} s`);
    await client.query(`create table numbered as
      select id as org_id, substr(name, 2)::int as turn from organizations;
      create table numbered_people as
      select p.org_id, n.turn, p.id as person_id, p.primary_email,
        row_number() over (partition by p.org_id order by p.id) as place from people p join numbered n using (org_id);
      create index on numbered_people (turn, place); analyze numbered_people`);
    const whole = monthsUntil(now).slice(0, -1);
    for (const month of whole) {
      await seedDeliveries(client, plan, month);
      await seedEvents(client, plan, month);
      tell(`${month.toISOString().slice(0, 7)} after ${seconds(began)} s`);
    }
    await client.query('drop table numbered_people, numbered');
    for (const table of ['deliveries', 'events', 'named_events', 'broadcasts'])
      await client.query(`vacuum analyze ${table}`);
    await client.query('checkpoint');
    tell(`seeded after ${seconds(began)} s`);
    return { orgs, bytesAPerson };
  } finally {
    await client.end();
  }
}

const seconds = (began: number): string => ((performance.now() - began) / 1000).toFixed(0);

/** All tables that hold people, their identifiers and their properties, with indexes. */
async function bytesOfPeople(client: pg.Client, people: number): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(`
    select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
    where relkind = 'r' and relname ~ '^(people|identifiers|property_values|property_page_[0-9]+)$'`);
  return rows[0]!.bytes / people;
}
