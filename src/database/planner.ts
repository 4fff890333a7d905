import { sql } from 'kysely';
import type { Database } from './pool.ts';

/**
 * Every setting of PostgreSQL's planner and executor that the service changes, each for one transaction or less. No
 * other file sets one, but for the trigger that moves the queue of messages, as tests/locks/one-place.test.ts checks.
 */

/**
 * Sent with BEGIN. Compiling a query to machine code costs more than it saves here; a whole organization's read joins. No
 * query may have several processes: on two cores, previews of one organization's segments made another's calls four
 * times as slow with two helpers each, and 1.8 times without.
 */
export const settingsOf = (access: 'read' | 'write'): string =>
  `set local jit = off;
   set local max_parallel_workers_per_gather = 0;
   ${access === 'read' ? "set local work_mem = '32MB';" : ''}`;

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

/**
 * Part of a statement, in force for the rest of the transaction: makes the planner look few rows up by their keys. It
 * chose hash joins over whole tables for as long as those were small.
 */
export const byKeysFromHere = sql`set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
  set_config('enable_seqscan', 'off', true)`;

/**
 * A plan for foreign keys that was made while the tables were nearly empty reads the whole organization for each row,
 * and is kept until the tables are analyzed.
 */
export const forgetPlans = async (db: Database): Promise<void> => void (await sql`discard plans`.execute(db));

/**
 * For the rest of the transaction. While the statistics do not know an organization, a plan made for it alone takes it
 * for empty and reads all of it for each row: 14 rows of a list a second instead of 1,400. A plan for any organization
 * looks rows up by their keys.
 */
export const planForAny = async (db: Database): Promise<void> =>
  void (await sql`set local plan_cache_mode = 'force_generic_plan'`.execute(db));
