import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import pg from 'pg';
import { openDatabase, openPool } from '../database/pool.ts';
import { runMigrations } from '../database/run-migrations.ts';
import { systemClock } from '../kernel/clock.ts';
import { readConfig, type Config } from './config.ts';
import { buildDashboard } from './dashboard.ts';
import { ensureDemonstration } from './demonstration.ts';
import { keyring } from './keys.ts';
import { prepareLocalRestate } from './local-restate.ts';
import { createLog } from './log.ts';
import { mailSettings } from './mail-settings.ts';
import { startOperator } from './operator.ts';
import { startApi } from './start-api.ts';
import { startHandlers } from './start-handlers.ts';
import { startMailbox } from './start-mailbox.ts';
import { startRelay } from './start-relay.ts';
import { untilStopped } from './until-stopped.ts';

export interface DevOptions {
  readonly port: number | undefined;
  readonly json: boolean;
}

/** Everything on one machine: migrates, starts Restate and every part of the service, and says where to go. */
export async function dev(options: DevOptions): Promise<void> {
  const stopped = untilStopped();
  const stopping: (() => Promise<void>)[] = [];
  try {
    await Promise.race([startAll(options, stopping), stopped]);
    await stopped;
  } finally {
    for (const stop of stopping.toReversed()) await stop();
  }
  // After a stop during the start, further parts may still be starting.
  process.exit();
}

/** Adds each part to `stopping` as soon as it has started, so that a stop in the middle closes it. */
async function startAll(options: DevOptions, stopping: (() => Promise<void>)[]): Promise<void> {
  const environment = {
    LOG_LEVEL: 'warn',
    OPERATOR_PORT: '0',
    MAILBOX_PORT: '0',
    ...process.env,
    ROSTRUM_SECRET: process.env['ROSTRUM_SECRET'] ?? (await localSecret()),
  };
  const base = readConfig({
    ...environment,
    ...(options.port !== undefined && { PORT: String(options.port) }),
  });
  const restate = await prepareLocalRestate();
  stopping.push(
    () => restate.remove(),
    () => restate.stop(),
  );
  await Promise.all([restate.start(), prepareDatabase(base.DATABASE_OWNER_URL ?? base.DATABASE_URL)]);
  await buildDashboard();
  const config: Config = {
    ...base,
    RESTATE_INGRESS_URL: [restate.ingressUrl],
    RESTATE_ADMIN_URL: [restate.adminUrl],
    RESTATE_IDENTITY_KEY: restate.identityKey,
    HANDLERS_PORT: 0,
  };
  const log = createLog(config.LOG_LEVEL, 'rostrum');
  const operator = await startOperator(config, 'all', log);
  stopping.push(() => operator.close());
  // Whoever reads the line of JSON from standard output expects nothing else there.
  const paper = options.json ? process.stderr : process.stdout;
  for (const start of [startHandlers, startRelay, startMailbox, startApi]) {
    const running = await start(config, log, operator.metrics, (text) => void paper.write(text));
    stopping.push(() => running.close());
    if (running.url !== undefined)
      await announce(config, { url: running.url, operator: operator.url }, options.json);
  }
  operator.serve();
}

async function announce(
  config: Config,
  { url, operator }: { url: string; operator: string },
  json: boolean,
): Promise<void> {
  const pool = openPool({ url: config.DATABASE_URL, size: 2, onError: () => undefined });
  const { org, secret, link } = await ensureDemonstration(
    openDatabase(pool),
    { keys: keyring(config), mail: mailSettings(config) },
    systemClock.now(),
  );
  await pool.end();
  await mkdir('.rostrum', { recursive: true });
  await writeFile('.rostrum/dev.env', `URL=${url}\nKEY=${secret}\n`, { mode: 0o600 });
  if (json) {
    const line = {
      ready: true,
      base_url: url,
      mcp_url: `${url}/mcp`,
      api_key: secret,
      org_id: org,
      sign_in_url: link,
    };
    process.stdout.write(`${JSON.stringify(line)}\n`);
    return;
  }
  process.stdout.write(`
Rostrum is up.

  API        ${url}/v1
  Tools      ${url}/mcp
  Reference  ${url}/docs
  Sign in    ${link}  (once; npx rostrum user create --email ADDRESS makes an account)
  Readiness  ${operator}/ready
  API key    ${secret}

Address and key are in .rostrum/dev.env too: a shell reads them with  . .rostrum/dev.env

Try:  curl -H 'Authorization: ${secret}' -H 'Auth-Type: api' '${url}/v1/people?limit=2'

Ctrl-C stops it.
`);
}

/** A secret that stays the same on this machine, outside the repository's history. */
async function localSecret(): Promise<string> {
  await mkdir('.rostrum', { recursive: true });
  const file = '.rostrum/secret';
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch {
    const secret = randomBytes(32).toString('hex');
    await writeFile(file, `${secret}\n`, { mode: 0o600 });
    return secret;
  }
}

async function prepareDatabase(url: string): Promise<void> {
  await createMissingDatabase(url);
  await runMigrations(url);
}

const unknownDatabase = '3D000';

async function createMissingDatabase(url: string): Promise<void> {
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  const probe = new pg.Client({ connectionString: url });
  try {
    await probe.connect();
  } catch (error) {
    if ((error as { code?: string }).code !== unknownDatabase) throw error;
    const server = new URL(url);
    server.pathname = '/postgres';
    const client = new pg.Client({ connectionString: server.href });
    await client.connect();
    await client.query(`create database ${pg.escapeIdentifier(name)}`);
    await client.end();
  } finally {
    await probe.end().catch(() => undefined);
  }
}
