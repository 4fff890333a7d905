import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type pg from 'pg';
import { openDatabase, openPool, type Database } from '../database/pool.ts';
import { hearTexts } from '../domain/delivery/hear-texts.ts';
import { zoomConnector } from '../domain/webinars/platforms/zoom.ts';
import { dnsLookUp } from '../durable/dns-look-up.ts';
import { restateEngine } from '../durable/engine.ts';
import { runJudging } from '../durable/judge-loop.ts';
import { runRelay } from '../durable/relay.ts';
import { serveHandlers } from '../durable/serve-handlers.ts';
import { runSweeps } from '../durable/sweep.ts';
import type { Metrics } from '../faces/operator/metrics.ts';
import { serveMailbox } from '../faces/mailbox/serve-mailbox.ts';
import { systemClock } from '../kernel/clock.ts';
import { ConfigError, type Config } from './config.ts';
import { keyring } from './keys.ts';
import { mailSettings } from './mail-settings.ts';
import { openProviders } from './providers.ts';
import { registerHandlers } from './register-handlers.ts';

/** A part of the service that runs until it is closed; closing drains it. */
export interface Running {
  readonly url?: string;
  close(): Promise<void>;
}

export async function startApi(
  config: Config,
  log: Logger,
  { observe }: Pick<Metrics, 'observe'>,
): Promise<Running & { url: string }> {
  const { pool, database } = connect(config, log);
  // Only here: the other processes do without Fastify, the tools and the reference page, 40 MB.
  const { buildApi } = await import('./build-api.ts');
  const app: FastifyInstance = await buildApi({
    config,
    database,
    clock: systemClock,
    log,
    observe,
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
  const parts = { keys: keyring(config), mail: mailSettings(config) };
  const providers = openProviders(config, {
    ...hearTexts(database, parts, systemClock),
    onTrouble: (what) => log.warn({ what }, 'trouble with the SMSC'),
  });
  const handlers = await serveHandlers({
    database,
    host: config.HANDLERS_HOST,
    port: config.HANDLERS_PORT,
    identityKey: config.RESTATE_IDENTITY_KEY,
    lookUp: dnsLookUp(config.DNS_SERVERS),
    ...parts,
    providers,
    lanesAtOnce: Math.max(2, Math.floor(config.DATABASE_POOL_SIZE / 3)),
    connectors: {
      zoom: zoomConnector({ apiUrl: config.ZOOM_API_URL, oauthUrl: config.ZOOM_OAUTH_URL }),
    },
    clocksAtOnce: Math.max(2, Math.floor(config.DATABASE_POOL_SIZE / 4)),
    importsAtOnce: Math.max(2, Math.floor(config.DATABASE_POOL_SIZE / 5)),
    log: (level, fields, message) => log[level](fields, message),
  });
  const url = config.HANDLERS_URL ?? `http://${config.HANDLERS_HOST}:${handlers.port}`;
  await registerHandlers(config.RESTATE_ADMIN_URL, url);
  log.info({ url }, 'the durable handlers listen');
  return {
    close: async () => {
      await handlers.close();
      await providers.email?.close();
      await providers.text?.close();
      await pool.end();
    },
  };
}

/** The outbox relay and its sweeps, and the judging of what messages were opened and clicked by. */
export function startRelay(config: Config, log: Logger): Running {
  const { pool, database } = connect(config, log);
  const engine = restateEngine(config.RESTATE_INGRESS_URL);
  const parts = { keys: keyring(config), mail: mailSettings(config) };
  const stop = new AbortController();
  const trouble = (error: unknown) => log.warn({ err: (error as Error).message }, 'the relay met trouble');
  const running = Promise.all([
    runRelay(database, engine, stop.signal, trouble),
    runSweeps(database, systemClock, stop.signal, trouble),
    runJudging(database, parts, systemClock, stop.signal, trouble),
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

/** What comes back by mail: bounces, complaints, replies and unsubscribing. */
export async function startMailbox(config: Config, log: Logger): Promise<Running & { port: number }> {
  const tls = await readCertificate(config);
  const { pool, database } = connect(config, log);
  const mailbox = await serveMailbox({
    database,
    keys: keyring(config),
    mail: mailSettings(config),
    host: config.MAILBOX_HOST,
    port: config.MAILBOX_PORT,
    clock: systemClock,
    ...(tls !== undefined && { tls }),
    log: (level, fields, message) => log[level](fields, message),
  });
  log.info({ port: mailbox.port }, 'the mailbox listens');
  return {
    port: mailbox.port,
    close: async () => {
      await mailbox.close();
      await pool.end();
    },
  };
}

async function readCertificate(config: Config): Promise<{ cert: string; key: string } | undefined> {
  const { MAILBOX_TLS_CERT_FILE: cert, MAILBOX_TLS_KEY_FILE: key } = config;
  if (cert !== undefined && key !== undefined)
    return { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') };
  if (cert === undefined && key === undefined) return undefined;
  throw new ConfigError('Set MAILBOX_TLS_CERT_FILE and MAILBOX_TLS_KEY_FILE both, or neither.');
}

function connect(config: Config, log: Logger): { pool: pg.Pool; database: Database } {
  const pool = openPool({
    url: config.DATABASE_URL,
    size: config.DATABASE_POOL_SIZE,
    onError: (error) => log.warn({ err: error.name }, 'a database connection was lost'),
  });
  return { pool, database: openDatabase(pool) };
}
