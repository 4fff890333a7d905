import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';

const folder = new URL('./migrations/', import.meta.url);
const lockKey = 7_402_115; // any fixed number: two migrating processes take turns

/** Applies what is missing, in order, each file in a transaction of its own. Returns the names applied. */
export async function runMigrations(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'rostrum migrate' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    await client.query(`create table if not exists schema_migrations
      (name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from schema_migrations',
    );
    const known = new Map(rows.map((row) => [row.name, row.checksum]));
    const applied: string[] = [];
    for (const migration of await readMigrations()) {
      const checksum = known.get(migration.name);
      if (checksum === undefined) {
        await apply(client, migration);
        applied.push(migration.name);
      } else if (checksum !== migration.checksum) {
        throw new Error(`${migration.name} was changed after it was applied; add a new migration instead`);
      }
    }
    await client.query('grant select on schema_migrations to rostrum_app');
    return applied;
  } finally {
    await client.end();
  }
}

/** Names that the code knows and the database lacks, or knows otherwise: readiness asks. */
export async function missingMigrations(
  applied: readonly { readonly name: string; readonly checksum: string }[],
): Promise<string[]> {
  const known = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  return (await readMigrations())
    .filter(({ name, checksum }) => known.get(name) !== checksum)
    .map(({ name }) => name);
}

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query("begin; set local lock_timeout = '10s'; set local statement_timeout = '30min'");
    await client.query(migration.sql);
    await client.query('reset role');
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      migration.name,
      migration.checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
  }
}
