import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { runMigrations } from '../../src/database/run-migrations.ts';

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string;
    templateDatabase: string;
  }
}

const serverUrl = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Migrates one database; every test file gets a copy of it. All of them are dropped at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const prefix = `rostrum_test_${process.pid}`;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${prefix}_template`);
  await runMigrations(databaseUrl(`${prefix}_template`));
  project.provide('serverUrl', serverUrl);
  project.provide('templateDatabase', `${prefix}_template`);
  return async () => {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [`${prefix}_`],
    );
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
    await client.end();
  };
}

function databaseUrl(name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
