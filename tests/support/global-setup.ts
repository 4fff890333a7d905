import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { runMigrations } from '../../src/database/run-migrations.ts';
import { fleeting, startOwnPostgres } from '../../benches/support/own-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string;
    templateDatabase: string;
  }
}

/**
 * Migrates one database; every world gets a copy of it. All of them are gone at the end. They stand in a PostgreSQL of
 * the tests' own that does not wait for the disk, or in that of DATABASE_URL. TEMPLATE_DATABASE names one there that is
 * migrated already, by another release (ADR 71).
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { serverUrl, stop } = await server();
  const given = process.env['TEMPLATE_DATABASE'];
  const template = given ?? `rostrum_test_${process.pid}_template`;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  if (given === undefined) {
    await client.query(`create database ${template}`);
    await runMigrations(Object.assign(new URL(serverUrl), { pathname: `/${template}` }).href);
  }
  project.provide('serverUrl', serverUrl);
  project.provide('templateDatabase', template);
  return async () => {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [template.replace('template', '')],
    );
    for (const { datname } of rows.filter((row) => row.datname !== given))
      await client.query(`drop database if exists ${datname} with (force)`);
    await client.end();
    await stop();
  };
}

async function server(): Promise<{ serverUrl: string; stop: () => Promise<void> }> {
  const given = process.env['DATABASE_URL'];
  if (given !== undefined) return { serverUrl: given, stop: async () => undefined };
  const own = await startOwnPostgres(fleeting);
  return {
    serverUrl: own.url,
    stop: async () => {
      await own.kill('SIGQUIT');
      await own.remove();
    },
  };
}
