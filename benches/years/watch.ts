import pg from 'pg';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import type { Database } from '../../src/database/pool.ts';

export interface Taken {
  readonly ms: number;
  readonly buffers: number;
}

/** A database that is asked by one connection, and what each thing asked of it took. */
export interface Watched {
  readonly database: Database;
  readonly admin: pg.Client;
  /** Runs something and counts the shared buffers of tables and indexes that were touched meanwhile. */
  readonly take: (act: () => Promise<unknown>) => Promise<Taken>;
  /** The plans of what is run, by EXPLAIN (ANALYZE, BUFFERS), as PostgreSQL writes them. */
  readonly explain: (act: () => Promise<unknown>) => Promise<string[]>;
  readonly close: () => Promise<void>;
}

const touched = `
  select coalesce(sum(coalesce(heap_blks_read, 0) + coalesce(heap_blks_hit, 0) + coalesce(idx_blks_read, 0)
    + coalesce(idx_blks_hit, 0) + coalesce(toast_blks_read, 0) + coalesce(toast_blks_hit, 0)), 0)::float8 as n
  from pg_statio_user_tables`;

export async function watch(url: string): Promise<Watched> {
  const plans: string[] = [];
  const pool = openPool({ url, size: 1, onError: () => undefined });
  pool.on('connect', (client) => {
    client.on('notice', ({ message }) => {
      if (message?.includes('plan:') === true) plans.push(message);
    });
  });
  const database = openDatabase(pool);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  const flushed = async (): Promise<number> => {
    await pool.query('select pg_stat_force_next_flush()');
    await pool.query('select 1');
    return (await admin.query<{ n: number }>(touched)).rows[0]!.n;
  };
  return {
    database,
    admin,
    take: async (act) => {
      const before = await flushed();
      const began = performance.now();
      await act();
      const ms = performance.now() - began;
      return { ms, buffers: (await flushed()) - before };
    },
    explain: async (act) => {
      await pool.query(`load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_analyze = on;
        set auto_explain.log_buffers = on; set auto_explain.log_timing = off; set auto_explain.log_level = notice`);
      plans.length = 0;
      await act();
      await pool.query(`set auto_explain.log_min_duration = -1`);
      return [...plans];
    },
    close: async () => {
      await pool.end();
      await admin.end();
    },
  };
}
