import { sql } from 'kysely';
import type { Database } from './pool.ts';

/**
 * Runs a query that joins a whole organization's rows. How many rows several conditions leave is a guess that is off by
 * factors of a thousand, and on the low side it ends in a loop that looks up a million rows one by one: 19 s for what a
 * hash join does in two.
 */
export async function atOnce<T>(db: Database, query: () => Promise<T>, joins = true): Promise<T> {
  if (!joins) return query();
  await sql`set local enable_nestloop = off`.execute(db);
  const result = await query();
  await sql`set local enable_nestloop = on`.execute(db);
  return result;
}
