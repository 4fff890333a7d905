import { openDatabase, openPool, type Database } from '../database/pool.ts';
import { readConfig, type Config } from './config.ts';

/** For commands that need the database alone: no secret is asked for. */
export const readDatabaseConfig = (): Config =>
  readConfig({ ROSTRUM_SECRET: 'x'.repeat(32), ...process.env });

export async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const pool = openPool({ url: readDatabaseConfig().DATABASE_URL, size: 2, onError: () => undefined });
  try {
    return await work(openDatabase(pool));
  } finally {
    await pool.end();
  }
}
