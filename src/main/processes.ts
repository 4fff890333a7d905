import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type pg from 'pg';
import { openDatabase, openPool, type Database } from '../database/pool.ts';
import { dnsLookUp } from '../durable/dns-look-up.ts';
import { restateEngine } from '../durable/engine.ts';
import { runRelay } from '../durable/relay.ts';
import { serveHandlers } from '../durable/serve-handlers.ts';
import { runSweeps } from '../durable/sweep.ts';
import { systemClock } from '../kernel/clock.ts';
import { buildApi } from './build-api.ts';
import { ConfigError, type Config } from './config.ts';
import { registerHandlers } from './register-handlers.ts';

/** A part of the service that runs until it is closed; closing drains it. */
export interface Running {
  readonly url?: string;
  close(): Promise<void>;
}

export async function startApi(config: Config, log: Logger): Promise<Running & { url: string }> {
  const { pool, database } = connect(config, log);
  const app: FastifyInstance = await buildApi({
    config,
    database,
    engine: restateEngine(config.RESTATE_INGRESS_URL),
    clock: systemClock,
    log,
  });
  const url = await app.listen({ host: config.HOST, port: config.PORT });
  log.info({ url }, 'the API listens');
  return {
    url,
    close: async () => {
      await app.close();
      await pool.end();
    },
  };
}

/** The durable handlers, registered with Restate under the address it reaches them at. */
export async function startHandlers(config: Config, log: Logger): Promise<Running> {
  if (config.RESTATE_IDENTITY_KEY === undefined) {
    throw new ConfigError(
      'RESTATE_IDENTITY_KEY is not set: the handlers serve only requests that Restate signed.',
    );
  }
  const { pool, database } = connect(config, log);
  const handlers = await serveHandlers({
    database,
    host: config.HANDLERS_HOST,
    port: config.HANDLERS_PORT,
    identityKey: config.RESTATE_IDENTITY_KEY,
    lookUp: dnsLookUp(config.DNS_SERVERS),
    returnPathHost: config.MAIL_RETURN_PATH_HOST,
    log: (level, fields, message) => log[level](fields, message),
  });
  const url = config.HANDLERS_URL ?? `http://${config.HANDLERS_HOST}:${handlers.port}`;
  await registerHandlers(config.RESTATE_ADMIN_URL, url);
  log.info({ url }, 'the durable handlers listen');
  return {
    close: async () => {
      await handlers.close();
      await pool.end();
    },
  };
}

/** The outbox relay and its sweeps. */
export function startRelay(config: Config, log: Logger): Running {
  const { pool, database } = connect(config, log);
  const engine = restateEngine(config.RESTATE_INGRESS_URL);
  const stop = new AbortController();
  const trouble = (error: unknown) => log.warn({ err: (error as Error).message }, 'the relay met trouble');
  const running = Promise.all([
    runRelay(database, engine, stop.signal, trouble),
    runSweeps(database, systemClock, stop.signal, trouble),
  ]);
  log.info('the relay runs');
  return {
    close: async () => {
      stop.abort();
      await running;
      await pool.end();
    },
  };
}

function connect(config: Config, log: Logger): { pool: pg.Pool; database: Database } {
  const pool = openPool({
    url: config.DATABASE_URL,
    size: config.DATABASE_POOL_SIZE,
    onError: (error) => log.warn({ err: error.name }, 'a database connection was lost'),
  });
  return { pool, database: openDatabase(pool) };
}
