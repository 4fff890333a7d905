import type { Logger } from 'pino';
import type pg from 'pg';
import { openDatabase, openPool, type Database } from '../database/pool.ts';
import type { Metrics } from '../faces/operator/metrics.ts';
import type { Tracer } from '../kernel/trace.ts';
import type { Config } from './config.ts';

/** A part of the service that runs until it is closed; closing drains it. */
export interface Running {
  readonly url?: string;
  close(): Promise<void>;
}

/** What a part tells the operator of itself. */
export interface Watching extends Partial<Pick<Metrics, 'watchPool' | 'waited' | 'outcomes'>> {
  readonly tracer?: Tracer | undefined;
}

/** The connections of one part. */
export function connect(
  config: Config,
  log: Logger,
  { watchPool, waited }: Watching,
): { pool: pg.Pool; database: Database } {
  const pool = openPool({
    url: config.DATABASE_URL,
    size: config.DATABASE_POOL_SIZE,
    onError: (error) => log.warn({ err: error.name }, 'a database connection was lost'),
  });
  watchPool?.(pool);
  return { pool, database: openDatabase(pool, waited) };
}
