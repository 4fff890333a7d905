import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';

const folder = new URL('../../src/database/migrations/', import.meta.url);

export interface EarlierDatabase {
  readonly url: string;
  readonly admin: pg.Client;
}

/** A database as it was before a migration, brought there as the runner would have. */
export function useDatabaseBefore(migration: string): () => EarlierDatabase {
  const name = inject('templateDatabase').replace('template', `before_${migration.replaceAll('-', '_')}`);
  const url = Object.assign(new URL(inject('serverUrl')), { pathname: `/${name}` }).href;
  const admin = new pg.Client({ connectionString: url });
  beforeAll(async () => {
    const server = new pg.Client({ connectionString: inject('serverUrl') });
    await server.connect();
    await server.query(`create database ${name}`);
    await server.end();
    await admin.connect();
    await migrateUntil(admin, migration);
  });
  afterAll(() => admin.end());
  return () => ({ url, admin });
}

async function migrateUntil(admin: pg.Client, migration: string): Promise<void> {
  await admin.query(
    'create table schema_migrations (name text primary key, checksum text, applied_at timestamptz)',
  );
  for (const file of (await readdir(folder)).toSorted()) {
    if (file.endsWith(`-${migration}.sql`)) return;
    const sql = await readFile(new URL(file, folder), 'utf8');
    await admin.query(`begin; ${sql}; reset role; commit`);
    const checksum = createHash('sha256').update(sql).digest('hex');
    await admin.query('insert into schema_migrations values ($1, $2, now())', [file, checksum]);
  }
  throw new Error(`there is no migration ${migration}`);
}
