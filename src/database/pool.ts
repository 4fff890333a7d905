import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { DB } from './tables.generated.ts';

export type Database = Kysely<DB>;

// Counts and minor units stay far below 2^53, so bigint columns are plain numbers here.
const bigint = 20;
const types = new pg.TypeOverrides();
types.setTypeParser(bigint, Number);

export interface PoolOptions {
  readonly url: string;
  readonly size: number;
  readonly onError: (error: Error) => void;
}

/** A pool whose connections carry no state between transactions, so that a transaction pooler may stand between. */
export function openPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.size,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    application_name: 'rostrum',
    types,
  });
  pool.on('error', options.onError);
  // A client in use but idle, as while messages are handed over, has no listener: losing it would end the process.
  pool.on('connect', (client) => client.on('error', options.onError));
  return pool;
}

/** `onWait` hears how many seconds each piece of work waited for its connection. */
export function openDatabase(pool: pg.Pool, onWait: (seconds: number) => void = () => undefined): Database {
  const connect = async (): Promise<pg.PoolClient> => {
    const began = performance.now();
    try {
      return await pool.connect();
    } finally {
      onWait((performance.now() - began) / 1000);
    }
  };
  const waiting = { connect, end: () => pool.end(), options: pool.options };
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool: waiting }) });
}
