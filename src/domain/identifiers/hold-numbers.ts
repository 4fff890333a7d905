import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';

const numbers = 7_402_122; // any fixed number that no other lock has

/**
 * Whoever gives somebody a number shares this until it is committed, before it asks whether the number is remembered. A
 * stop from a number that nobody seems to have holds it alone: so one of the two sees the other, whoever comes first.
 * Asked for after people are held.
 */
export async function shareNumbers(
  { db, org }: Work,
  given: readonly { readonly type: string }[],
): Promise<void> {
  if (!given.some(({ type }) => type === 'phone')) return;
  await sql`select pg_advisory_xact_lock_shared(${numbers}, hashtext(${org}))`.execute(db);
}

export const holdNumbers = async ({ db, org }: Work): Promise<void> =>
  void (await sql`select pg_advisory_xact_lock(${numbers}, hashtext(${org}))`.execute(db));
