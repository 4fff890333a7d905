import { randomBytes } from 'node:crypto';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, inject } from 'vitest';
import { openDatabase, openPool, type Database } from '../../src/database/pool.ts';
import type { DocumentNetwork } from '../../src/domain/connections/fetch-document.ts';
import { createOrganization } from '../../src/domain/orgs/create-organization.ts';
import { buildApi } from '../../src/main/build-api.ts';
import { readConfig, type Config } from '../../src/main/config.ts';
import { startLocalRestate, type LocalRestate } from '../../src/main/local-restate.ts';
import type { Running } from '../../src/main/running.ts';
import { startHandlers } from '../../src/main/start-handlers.ts';
import { startRelay } from '../../src/main/start-relay.ts';
import { permissions, type Permission } from '../../src/kernel/caller.ts';
import { systemClock, type Clock } from '../../src/kernel/clock.ts';
import { holdPort } from '../../src/main/free-ports.ts';
import { TestOrg } from './test-org.ts';

export interface World {
  readonly url: string;
  readonly config: Config;
  readonly databaseUrl: string;
  /** The service's own connection pool. */
  readonly database: Database;
  /** A superuser's connection, for arranging rows and looking at what no face shows. */
  readonly admin: pg.Client;
  /** Every log line the service wrote, as it wrote it. */
  readonly logLines: string[];
  /** Set `world.clock.now = () => …` to move the service's time. */
  readonly clock: { now(): Date };
  readonly restate: LocalRestate | undefined;
  newOrg(options?: { permissions?: readonly Permission[]; currency?: string }): Promise<TestOrg>;
  newKey(org: TestOrg, permissions: readonly Permission[]): Promise<TestOrg>;
  /** Ends the service. Its rows stay. */
  shutDown(): Promise<void>;
  close(): Promise<void>;
}

export interface WorldOptions {
  /** Also run Restate, the handlers and the relay. */
  readonly engine?: boolean;
  readonly env?: Record<string, string>;
  /** Where documents of clients come from. */
  readonly documentNetwork?: DocumentNetwork;
}

/**
 * Tests make many organizations one after another. While several are active, the place of a heavy call rests for longer
 * than it took, so a test would mostly wait for places. Those who ask about places set their number.
 */
const roomy = { DATABASE_POOL_SIZE: '400' };

/** The whole service over a database of its own, for the tests of one file. */
export function useWorld(options: WorldOptions = {}): () => World {
  let world: World | undefined;
  beforeAll(async () => {
    world = await openWorld(options);
  });
  afterAll(() => world?.close());
  return () => world!;
}

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const [{ databaseUrl, admin, drop }, restate] = await Promise.all([
    copyDatabase(),
    options.engine === true ? startLocalRestate() : undefined,
  ]);
  // Messages point at the API, so its address is known before it listens.
  const held = await holdPort();
  const settings = {
    DATABASE_URL: databaseUrl,
    ROSTRUM_SECRET: 'a secret for tests that nobody else has',
    PORT: String(held.port),
    HANDLERS_PORT: '0',
    LOG_LEVEL: 'info',
    ...(restate !== undefined && {
      RESTATE_INGRESS_URL: restate.ingressUrl,
      RESTATE_ADMIN_URL: restate.adminUrl,
      RESTATE_IDENTITY_KEY: restate.identityKey,
    }),
    ...options.env,
  };
  const config = readConfig(settings);
  const logLines: string[] = [];
  const log = pino({ level: config.LOG_LEVEL }, { write: (line: string) => void logLines.push(line) });
  const running: Running[] = [];
  if (restate !== undefined) running.push(await startHandlers(config, log), startRelay(config, log));
  const pool = openPool({ url: databaseUrl, size: 20, onError: () => undefined });
  // Many calls at once wait long for a connection on a slow machine. To refuse them then is not what tests ask about.
  pool.options.connectionTimeoutMillis = 60_000;
  const database = openDatabase(pool);
  const clock: { now(): Date } = { now: () => systemClock.now() };
  const app = await buildApi({
    config:
      options.env?.['DATABASE_POOL_SIZE'] === undefined ? readConfig({ ...settings, ...roomy }) : config,
    database,
    clock: clock satisfies Clock,
    log,
    documentNetwork: options.documentNetwork,
  });
  await held.letGo();
  const url = await app.listen({ host: '127.0.0.1', port: config.PORT });

  const end = async (): Promise<void> => {
    await app.close();
    for (const one of running.toReversed()) await one.close();
    await restate?.stop();
    await restate?.remove();
    await pool.end();
  };
  let ended: Promise<void> | undefined;
  const shutDown = (): Promise<void> => (ended ??= end());
  return {
    url,
    config,
    databaseUrl,
    database,
    admin,
    logLines,
    clock,
    restate,
    async newOrg({ permissions: wanted = permissions, currency } = {}) {
      const made = await createOrganization(
        database,
        { name: 'A test organization', mode: 'test', ...(currency !== undefined && { currency }) },
        { name: 'test', permissions: wanted },
        clock.now(),
      );
      return new TestOrg(url, made.org, made.keyId, made.secret);
    },
    async newKey(org, wanted) {
      const { createApiKey } = await import('../../src/domain/orgs/api-key.ts');
      const { orgTransaction } = await import('../../src/database/org-transaction.ts');
      const key = await orgTransaction(database, org.id, 'write', (db) =>
        createApiKey(db, { id: org.id, mode: 'test' }, { name: 'another', permissions: wanted }, clock.now()),
      );
      return new TestOrg(url, org.id, key.id, key.secret);
    },
    shutDown,
    async close() {
      await shutDown();
      await admin.end();
      await drop();
    },
  };
}

interface Copy {
  readonly databaseUrl: string;
  readonly admin: pg.Client;
  readonly drop: () => Promise<void>;
}

async function copyDatabase(): Promise<Copy> {
  const name = inject('templateDatabase').replace('template', randomBytes(6).toString('hex'));
  await onServer(async (server) => {
    // Copies of one template are made one after another; PostgreSQL refuses two at once.
    await server.query('select pg_advisory_lock(7402116)');
    // Files are copied in a quarter of the time that the other way takes.
    await server.query(`create database ${name} template ${inject('templateDatabase')} strategy file_copy`);
  });
  const url = new URL(inject('serverUrl'));
  url.pathname = `/${name}`;
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  const drop = (): Promise<void> =>
    onServer(async (server) => void (await server.query(`drop database ${name} with (force)`)));
  return { databaseUrl: url.href, admin, drop };
}

async function onServer(act: (server: pg.Client) => Promise<void>): Promise<void> {
  const server = new pg.Client({ connectionString: inject('serverUrl') });
  await server.connect();
  try {
    await act(server);
  } finally {
    await server.end();
  }
}
