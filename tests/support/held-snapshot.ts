import pg from 'pg';
import type { World } from './world.ts';

/** Somebody who reads for a long time, as a dump does: rows that are deleted meanwhile stay. Answers how to end it. */
export async function holdSnapshot({ config }: Pick<World, 'config'>): Promise<() => Promise<void>> {
  const reader = new pg.Client({ connectionString: config.DATABASE_URL });
  await reader.connect();
  await reader.query('begin isolation level repeatable read');
  await reader.query('select count(*) from pg_class');
  return () => reader.end();
}
