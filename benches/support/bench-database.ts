import { sql } from 'kysely';
import pg from 'pg';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import { runMigrations } from '../../src/database/run-migrations.ts';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import { createApiKey } from '../../src/domain/orgs/api-key.ts';
import { createOrganization } from '../../src/domain/orgs/create-organization.ts';
import { permissions } from '../../src/kernel/caller.ts';
import type { OrgId } from '../../src/kernel/ids.ts';
import { seedPeople } from '../../src/main/seed-people.ts';
import { benchServer } from './bench-server.ts';
import { tell } from './command.ts';

export interface BenchOrg {
  readonly id: OrgId;
  readonly secret: string;
}

export interface BenchDatabase {
  readonly url: string;
  /** The measured organizations, in the order asked for. */
  readonly orgs: readonly BenchOrg[];
}

interface OrgSize {
  readonly people: number;
  /** Custom property values each person has. */
  readonly properties: number;
}

export interface Population {
  readonly name: string;
  /** Organizations that are measured. */
  readonly measured: readonly OrgSize[];
  /** Others that are only there. */
  readonly others: OrgSize & { readonly count: number };
}

/** A seeded database: yesterday's, if it holds this population under these migrations, else a new one. */
export async function seedDatabase(population: Population): Promise<BenchDatabase> {
  const url = new URL(await benchServer());
  url.pathname = `/${population.name}`;
  const kept = await findKept(population, url.href);
  if (kept !== undefined) tell('using the database of an earlier run');
  const orgs = kept ?? (await seedAnew(population, url.href));
  const pool = openPool({ url: url.href, size: 1, onError: () => undefined });
  const database = openDatabase(pool);
  const withKeys: BenchOrg[] = [];
  for (const id of orgs) {
    const { secret } = await orgTransaction(database, id, 'write', (db) =>
      createApiKey(db, { id, mode: 'live' }, { name: 'bench', permissions }, new Date()),
    );
    withKeys.push({ id, secret });
  }
  await pool.end();
  return { url: url.href, orgs: withKeys };
}

async function seedAnew(population: Population, url: string): Promise<OrgId[]> {
  await onServer(
    `drop database if exists ${population.name} with (force)`,
    `create database ${population.name}`,
  );
  await runMigrations(url);
  const pool = openPool({ url, size: 2, onError: () => undefined });
  const database = openDatabase(pool);
  const now = new Date();
  const others = Array.from({ length: population.others.count }, () => population.others);
  const sizes = [...population.measured, ...others];
  tell(`seeding ${sizes.reduce((sum, { people }) => sum + people, 0)} people`);
  const rebuild = await dropSlowParts(pool);
  const orgs: OrgId[] = [];
  for (const { people, properties } of sizes) {
    const { org } = await createOrganization(
      database,
      { name: 'bench', mode: 'live' },
      { name: 'first' },
      now,
    );
    await seedPeople(database, { org, people, properties, now });
    orgs.push(org);
  }
  tell('building indexes and checking references');
  await rebuild();
  await sql`vacuum analyze`.execute(database);
  await pool.end();
  const measured = orgs.slice(0, population.measured.length);
  await onServer(
    `comment on database ${population.name} is '${JSON.stringify({ population, orgs: measured })}'`,
  );
  return measured;
}

/** What a finished seeding wrote beside its database; nothing if it was another population or other migrations. */
async function findKept(population: Population, url: string): Promise<OrgId[] | undefined> {
  const [row] = await onServer(
    `select shobj_description(oid, 'pg_database') as note from pg_database where datname = '${population.name}'`,
  );
  const note = JSON.parse((row?.['note'] as string | null) ?? '{}') as {
    population?: Population;
    orgs?: OrgId[];
  };
  if (JSON.stringify(note.population) !== JSON.stringify(population)) return undefined;
  try {
    const applied = await runMigrations(url);
    return applied.length === 0 ? note.orgs : undefined;
  } catch {
    return undefined; // a migration was changed since
  }
}

/** Indexes and foreign keys are dropped before the rows come and made after, as a restore does it. */
async function dropSlowParts(pool: pg.Pool): Promise<() => Promise<void>> {
  const { rows } = await pool.query<{ drop: string; make: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
    from pg_constraint where contype = 'f' and conrelid in ('identifiers'::regclass, 'property_values'::regclass)
    union all
    select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
    from pg_index where indrelid in ('people'::regclass, 'identifiers'::regclass, 'property_values'::regclass)
      and not exists (select 1 from pg_constraint c where c.conindid = indexrelid)`);
  for (const { drop } of rows) await pool.query(drop);
  return async () => {
    const client = await pool.connect();
    await client.query("set maintenance_work_mem = '1GB'");
    // Indexes first: the references are checked by joins that want them.
    for (const { make } of rows.toSorted(
      (a, b) => Number(a.make.startsWith('alter')) - Number(b.make.startsWith('alter')),
    )) {
      await client.query(make);
    }
    client.release(true);
  };
}

/** A copy to work in, so that what was seeded stays as it is. */
export async function copyDatabase(
  { name }: Population,
  copy: string,
): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> {
  const drop = async (): Promise<void> => {
    await onServer(`drop database if exists ${copy} with (force)`);
  };
  await drop();
  await onServer(`create database ${copy} template ${name} strategy file_copy`);
  const url = new URL(await benchServer());
  url.pathname = `/${copy}`;
  return { url: url.href, drop };
}

export async function dropDatabase(population: Population): Promise<void> {
  await onServer(`drop database if exists ${population.name} with (force)`);
}

async function onServer(...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: await benchServer() });
  await client.connect();
  let rows: Record<string, unknown>[] = [];
  for (const statement of statements) rows = (await client.query<Record<string, unknown>>(statement)).rows;
  await client.end();
  return rows;
}
