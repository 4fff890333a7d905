import type pg from 'pg';

/** How many sessions of the test's own database wait for a lock; a cluster's locks are also those of other tests. */
export async function lockWaits(client: pg.Client): Promise<number> {
  // Within a transaction the first look would be the answer for ever.
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]!.n;
}
