import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type pg from 'pg';
import { whileRegistering } from '../database/locks.ts';
import { mayForget } from '../database/ready.ts';
import { openDatabase, openPool, type Database } from '../database/pool.ts';
import { keepShares } from '../domain/delivery/providers/keep-shares.ts';
import { hearTexts } from '../domain/delivery/providers/hear-texts.ts';
import { connectPlatforms } from '../domain/webinars/platforms/registry.ts';
import { dnsLookUp } from '../durable/dns-look-up.ts';
import { restateEngine, type EngineObjects } from '../durable/engine.ts';
import { engineFence } from '../durable/fence.ts';
import { runGuard } from '../durable/guard-sending.ts';
import { noticeGoingBack } from '../durable/history-object.ts';
import { openJournal } from '../durable/journal.ts';
import { runJudging } from '../durable/judge-loop.ts';
import { runRelay } from '../durable/relay.ts';
import { release } from '../durable/release.ts';
import { serveHandlers } from '../durable/serve-handlers.ts';
import { runForgetting } from '../durable/forget-histories.ts';
import { runTidying, type KeepMonths } from '../durable/tidy.ts';
import { runSweeps } from '../durable/sweep.ts';
import type { Metrics } from '../faces/operator/metrics.ts';
import { serveMailbox } from '../faces/mailbox/serve-mailbox.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Tracer } from '../kernel/trace.ts';
import { announceSetup } from './announce-setup.ts';
import { ConfigError, type Config } from './config.ts';
import { keyring } from './keys.ts';
import { mailSettings } from './mail-settings.ts';
import { openRoutes } from './providers.ts';
import { registerHandlers } from './register-handlers.ts';
import { watchReleases } from './watch-releases.ts';

/** A part of the service that runs until it is closed; closing drains it. */
export interface Running {
  readonly url?: string;
  close(): Promise<void>;
}

interface Watching extends Partial<Pick<Metrics, 'watchPool' | 'waited' | 'outcomes'>> {
  readonly tracer?: Tracer | undefined;
}

export async function startApi(
  config: Config,
  log: Logger,
  { observe, shed, ...watching }: Pick<Metrics, 'observe' | 'shed'> & Watching,
  printMail?: (text: string) => void,
): Promise<Running & { url: string }> {
  const { pool, database } = connect(config, log, watching);
  // Only here: the other processes do without Fastify, the tools and the reference page, 40 MB.
  const { buildApi } = await import('./build-api.ts');
  const app: FastifyInstance = await buildApi({
    config,
    database,
    clock: systemClock,
    log,
    observe,
    onShed: shed,
    tracer: watching.tracer,
    printMail,
  });
  const url = await app.listen({ host: config.HOST, port: config.PORT });
  log.info({ url }, 'the API listens');
  // `dev`, which prints mail too, makes an account itself.
  if (printMail === undefined) await announceSetup(config, database, log);
  return {
    url,
    close: async () => {
      await app.close();
      await pool.end();
    },
  };
}

/** The durable handlers, registered with Restate under the address it reaches them at. */
export async function startHandlers(config: Config, log: Logger, watching: Watching = {}): Promise<Running> {
  if (config.RESTATE_IDENTITY_KEY === undefined) {
    throw new ConfigError(
      'RESTATE_IDENTITY_KEY is not set: the handlers serve only requests that Restate signed.',
    );
  }
  const { pool, database } = connect(config, log, watching);
  const engine = restateEngine(config.RESTATE_INGRESS_URL);
  const parts = { keys: keyring(config), mail: mailSettings(config) };
  const hear = (route: string) => ({
    ...hearTexts(database, parts, systemClock, route),
    onTrouble: (whom: string, what: string) => log.warn({ route, what }, `trouble with ${whom}`),
  });
  const routes = openRoutes(config, { database, ...parts }, hear, (route, error) =>
    log.error({ route, err: error.message }, 'a route cannot be used'),
  );
  const look = async () => {
    await routes.refresh();
    return routes.budgets();
  };
  const shares = await keepShares(database, systemClock, look, (error) =>
    log.warn({ err: error.name }, 'the shares of budgets were not renewed'),
  );
  const onJournal = (error: Error) =>
    log.error({ err: error.message }, 'the journal cannot be written: see JOURNAL_DIR');
  const journal = await openJournal({
    folder: config.JOURNAL_DIR,
    clock: systemClock,
    onTrouble: onJournal,
  }).catch(onJournal);
  const handlers = await serveHandlers({
    database,
    host: config.HANDLERS_HOST,
    port: config.HANDLERS_PORT,
    identityKey: config.RESTATE_IDENTITY_KEY,
    lookUp: dnsLookUp(config.DNS_SERVERS),
    ...parts,
    providers: routes.find,
    fence: engineFence(engine),
    journal: journal ?? undefined,
    onOutcomes: watching.outcomes,
    tracer: watching.tracer,
    lanesAtOnce: Math.max(2, Math.floor(config.DATABASE_POOL_SIZE / 3)),
    connectors: connectPlatforms(config),
    clocksAtOnce: Math.max(2, Math.floor(config.DATABASE_POOL_SIZE / 4)),
    importsAtOnce: Math.max(2, Math.floor(config.DATABASE_POOL_SIZE / 5)),
    log: (level, fields, message) => log[level](fields, message),
  });
  const url = config.HANDLERS_URL ?? `http://${config.HANDLERS_HOST}:${handlers.port}`;
  const stopWatching = new AbortController();
  const close = async (): Promise<void> => {
    stopWatching.abort();
    await handlers.close();
    await routes.close();
    await journal?.close();
    await shares.close();
    await pool.end();
  };
  try {
    await registerHandlers(config.RESTATE_ADMIN_URL, url, (register) => whileRegistering(database, register));
  } catch (error) {
    await close(); // or the process would go on without getting any work
    throw error;
  }
  log.info({ url, release: release() }, 'the durable handlers listen');
  void watchReleases(config.RESTATE_ADMIN_URL, stopWatching.signal, {
    onPassedOver: (id) =>
      log.warn({ id }, 'another release gets the new work; rostrum handlers use gives it to this one'),
    onDrained: ({ id, release: older, uri }) =>
      log.info({ id, release: older, url: uri }, 'nothing is left on older handlers: they can be stopped'),
  });
  await lookAtDatabase(database, engine, log).catch(() => undefined); // the sweep looks again
  return { close };
}

/** Finds out whether the database went back while nobody served, and whether it could. */
async function lookAtDatabase(database: Database, engine: EngineObjects, log: Logger): Promise<void> {
  if (await noticeGoingBack(database, engine, systemClock.now()))
    log.error('sending is held: the database went back; see rostrum recover');
  if (await mayForget(database))
    log.warn('synchronous_standby_names is empty: a failover may lose the latest commits');
}

/** The outbox relay with its sweeps, and the judging of opens and clicks. */
export function startRelay(config: Config, log: Logger, watching: Watching = {}): Running {
  const { pool, database } = connect(config, log, watching);
  const engine = restateEngine(config.RESTATE_INGRESS_URL, watching.tracer);
  const parts = { keys: keyring(config), mail: mailSettings(config) };
  const stop = new AbortController();
  const trouble = (error: unknown) => log.warn({ err: (error as Error).message }, 'the relay met trouble');
  const running = Promise.all([
    runRelay(database, engine, stop.signal, trouble),
    runSweeps(database, engine, systemClock, stop.signal, trouble),
    runJudging(database, parts, systemClock, stop.signal, trouble),
    runTidying(database, systemClock, stop.signal, {
      keep: keepMonths(config),
      detach: config.RETENTION === 'detach',
      onExpired: (month) => log.info({ month, retention: config.RETENTION }, 'a month is past what is kept'),
      onTrouble: trouble,
    }),
    runForgetting(database, systemClock, stop.signal, {
      keep: {
        ...keepMonths(config),
        workflow_runs: config.KEEP_RUNS_MONTHS,
        import_failures: config.KEEP_IMPORT_FAILURES_MONTHS,
      },
      atLeast: config.KEEP_AT_LEAST_MONTHS,
      onForgotten: (fields) => log.info(fields, 'an organization forgot what is past what it keeps'),
      onTrouble: trouble,
    }),
    runGuard(database, systemClock, stop.signal, {
      bounds: {
        bounces: config.SUSPEND_ABOVE_BOUNCES,
        complaints: config.SUSPEND_ABOVE_COMPLAINTS,
        fromMessages: config.SUSPEND_FROM_MESSAGES,
      },
      onStopped: (fields) => log.warn(fields, 'an organization was suspended by its bounces or complaints'),
      onTrouble: trouble,
    }),
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

const keepMonths = (config: Config): KeepMonths => ({
  tracking_hits: config.KEEP_TRACKING_HITS_MONTHS,
  events: config.KEEP_EVENTS_MONTHS,
  deliveries: config.KEEP_DELIVERIES_MONTHS,
  audit_log: config.KEEP_AUDIT_MONTHS,
});

/** What comes back by mail: bounces, complaints, replies and unsubscribing. */
export async function startMailbox(
  config: Config,
  log: Logger,
  watching: Watching = {},
): Promise<Running & { port: number }> {
  const tls = await readCertificate(config);
  const { pool, database } = connect(config, log, watching);
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

function connect(
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
