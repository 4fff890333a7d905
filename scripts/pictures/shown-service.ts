import pino from 'pino';
import { fleeting, startOwnPostgres } from '../../benches/support/own-postgres.ts';
import { freePort } from '../../src/main/free-ports.ts';
import { openDatabase, openPool, type Database } from '../../src/database/pool.ts';
import { runMigrations } from '../../src/database/run-migrations.ts';
import { buildApi } from '../../src/main/build-api.ts';
import { readConfig } from '../../src/main/config.ts';
import { ensureDemonstration } from '../../src/main/demonstration.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { TestOrg } from '../../tests/support/test-org.ts';

export interface ShownService {
  readonly url: string;
  readonly database: Database;
  readonly clock: { now(): Date };
  /** That of the demonstration. */
  readonly org: TestOrg;
  close(): Promise<void>;
}

/** The service with its demonstration, in a PostgreSQL of its own, at a moment at which its time stands still. */
export async function startShownService(moment: Date): Promise<ShownService> {
  const postgres = await startOwnPostgres(fleeting);
  await runMigrations(postgres.url);
  const port = await freePort();
  const url = `http://app.localhost:${port}`;
  const config = readConfig({
    DATABASE_URL: postgres.url,
    ROSTRUM_SECRET: 'a secret for pictures that guards nothing',
    PORT: String(port),
    PUBLIC_URL: url,
  });
  const pool = openPool({ url: postgres.url, size: 10, onError: () => undefined });
  const database = openDatabase(pool);
  const clock = { now: () => moment };
  const log = pino({ level: 'silent' });
  const app = await buildApi({ config, database, clock, log });
  await app.listen({ host: '127.0.0.1', port });
  const parts = { keys: keyring(config), mail: mailSettings(config) };
  const { org, secret } = await ensureDemonstration(database, parts, moment);
  return {
    url,
    database,
    clock,
    org: new TestOrg(`http://127.0.0.1:${port}`, org, '', secret),
    async close() {
      await app.close();
      await pool.end();
      await postgres.kill('SIGQUIT');
      await postgres.remove();
    },
  };
}
