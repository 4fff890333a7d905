import { sql } from 'kysely';
import pg from 'pg';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import { runMigrations } from '../../src/database/run-migrations.ts';
import { createOrganization } from '../../src/domain/orgs/create-organization.ts';
import { permissions } from '../../src/kernel/caller.ts';
import type { OrgId } from '../../src/kernel/ids.ts';
import { seedPeople } from '../../src/main/seed-people.ts';
import { tell } from './command.ts';

export interface BenchOrg {
  readonly id: OrgId;
  readonly secret: string;
}

export interface BenchDatabase {
  readonly url: string;
  /** One organization for each size asked for, in that order. */
  readonly orgs: readonly BenchOrg[];
}

export interface Population {
  readonly name: string;
  /** Organizations that are measured. */
  readonly sizes: readonly number[];
  /** Others that are only there. */
  readonly others: { readonly count: number; readonly size: number };
}

const server = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** A freshly seeded database; slow indexes are built after the rows, as a restore would. */
export async function seedDatabase(population: Population): Promise<BenchDatabase> {
  const url = new URL(server);
  url.pathname = `/${population.name}`;
  await onServer(
    `drop database if exists ${population.name} with (force)`,
    `create database ${population.name}`,
  );
  await runMigrations(url.href);
  const pool = openPool({ url: url.href, size: 2, onError: () => undefined });
  const database = openDatabase(pool);
  const now = new Date();
  const total =
    population.sizes.reduce((a, b) => a + b, 0) + population.others.count * population.others.size;
  tell(`seeding ${total} people`);
  const searchIndex = await pool.query<{ indexdef: string }>(
    `select indexdef from pg_indexes where indexname = 'identifiers_search'`,
  );
  await pool.query('drop index identifiers_search');
  const make = async (size: number): Promise<BenchOrg> => {
    const made = await createOrganization(
      database,
      { name: 'bench', mode: 'test' },
      { name: 'bench', permissions },
      now,
    );
    await seedPeople(database, { org: made.org, people: size, now });
    return { id: made.org, secret: made.secret };
  };
  const orgs: BenchOrg[] = [];
  for (const size of population.sizes) orgs.push(await make(size));
  for (let i = 0; i < population.others.count; i++) await make(population.others.size);
  tell('building the search index');
  await pool.query(
    `set maintenance_work_mem = '1GB'; ${searchIndex.rows[0]!.indexdef}; reset maintenance_work_mem`,
  );
  await sql`vacuum analyze`.execute(database);
  await pool.end();
  return { url: url.href, orgs };
}

export const dropDatabase = (population: Population): Promise<void> =>
  onServer(`drop database if exists ${population.name} with (force)`);

async function onServer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
