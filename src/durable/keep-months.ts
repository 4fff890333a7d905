import { sql } from 'kysely';
import type { Database } from '../database/pool.ts';

/** Makes the coming months of tables that grow with time, before they begin (ADR 54). Returns how many were missing. */
export async function makeMonths(db: Database): Promise<number> {
  const { rows } = await sql<{ made: number }>`select make_months() as made`.execute(db);
  return rows[0]!.made;
}

/** Renews the planner's statistics of each such table as a whole, once a day. Returns how many tables it analyzed. */
export async function analyzeMonths(db: Database): Promise<number> {
  const { rows } = await sql<{ analyzed: number }>`select analyze_months() as analyzed`.execute(db);
  return rows[0]!.analyzed;
}
