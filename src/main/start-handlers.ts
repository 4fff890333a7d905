import type { Logger } from 'pino';
import { whileRegistering } from '../database/locks.ts';
import type { Database } from '../database/pool.ts';
import { mayForget } from '../database/ready.ts';
import { hearTexts } from '../domain/delivery/providers/hear-texts.ts';
import { keepShares } from '../domain/delivery/providers/keep-shares.ts';
import { connectPlatforms } from '../domain/webinars/platforms/registry.ts';
import { dnsLookUp } from '../durable/dns-look-up.ts';
import { restateEngine, type EngineObjects } from '../durable/engine.ts';
import { engineFence } from '../durable/fence.ts';
import { noticeGoingBack } from '../durable/history-object.ts';
import { openJournal } from '../durable/journal.ts';
import { release } from '../durable/release.ts';
import { serveHandlers } from '../durable/serve-handlers.ts';
import { systemClock } from '../kernel/clock.ts';
import { ConfigError, type Config } from './config.ts';
import { keyring } from './keys.ts';
import { mailSettings } from './mail-settings.ts';
import { openRoutes } from './providers.ts';
import { registerHandlers } from './register-handlers.ts';
import { connect, type Running, type Watching } from './running.ts';
import { watchReleases } from './watch-releases.ts';

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
