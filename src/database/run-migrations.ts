import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { migrationLock } from './locks.ts';
import { backfill, isBackfill } from './migrate-backfill.ts';
import { buildIndex, isIndex } from './migrate-index.ts';
import { patiently } from './migrate-patiently.ts';

const folder = fileURLToPath(new URL('./migrations/', import.meta.url));
/** In place of the checksum while a backfill is under way: /ready goes on missing it. */
const unfinished = 'unfinished';

/** Applies what is missing, in order. Returns the names applied. What was interrupted goes on where it was. */
export async function runMigrations(url: string, from = folder): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'rostrum migrate' });
  await client.connect();
  try {
    // Asked again and again: whoever waits inside a statement holds a snapshot, which building an index waits for.
    while (!(await client.query(migrationLock.sql, [migrationLock.key])).rows[0].mine) await pause(250);
    await client.query(`create table if not exists schema_migrations
      (name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
    await client.query('alter table schema_migrations add column if not exists progress jsonb');
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from schema_migrations where checksum <> $1',
      [unfinished],
    );
    const known = new Map(rows.map((row) => [row.name, row.checksum]));
    const applied: string[] = [];
    for (const migration of await readMigrations(from)) {
      const checksum = known.get(migration.name);
      if (checksum === undefined) {
        await apply(client, migration).catch((error: Error) => {
          throw new Error(`migration ${migration.name} failed: ${error.message}`, { cause: error });
        });
        applied.push(migration.name);
      } else if (checksum !== migration.checksum) {
        throw new Error(`${migration.name} was changed after it was applied; add a new migration instead`);
      }
    }
    await client.query('grant select on schema_migrations to rostrum_app');
    // As the sweep does, so that the first rows have their month.
    await patiently(client, async () => void (await client.query('select make_months()')));
    return applied;
  } finally {
    await client.end();
  }
}

/** Migrations that the database lacks or has with another checksum, for the readiness check. */
export async function missingMigrations(
  applied: readonly { readonly name: string; readonly checksum: string }[],
): Promise<string[]> {
  const known = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  return (await readMigrations(folder))
    .filter(({ name, checksum }) => known.get(name) !== checksum)
    .map(({ name }) => name);
}

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

async function readMigrations(from: string): Promise<Migration[]> {
  const names = (await readdir(from)).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(`${from}/${name}`, 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** The kind of a file is in its name (ADR 70): in one transaction, or an index or a backfill beside the traffic. */
async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  const note = (sum: string, progress: unknown) =>
    client.query(
      `insert into schema_migrations (name, checksum, progress) values ($1, $2, $3)
       on conflict (name) do update set checksum = $2, progress = $3, applied_at = now()`,
      [name, sum, progress === null ? null : JSON.stringify(progress)],
    );
  if (isIndex(name)) {
    await buildIndex(client, sql);
    await note(checksum, null);
  } else if (isBackfill(name)) {
    const { rows } = await client.query<{ progress: unknown }>(
      'select progress from schema_migrations where name = $1',
      [name],
    );
    await backfill(client, sql, {
      from: rows[0]?.progress ?? null,
      keep: async (progress) => void (await note(unfinished, progress)),
    });
    await note(checksum, null);
  } else {
    await patiently(client, async () => {
      await client.query("set local statement_timeout = '30min'");
      await client.query(sql);
      await client.query('reset role');
      await note(checksum, null);
    });
  }
}
