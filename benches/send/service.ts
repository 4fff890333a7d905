import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import { rearm } from '../../src/durable/sweep.ts';
import { startLocalRestate } from '../../src/main/local-restate.ts';
import { endWithUs } from '../support/end-with-us.ts';
import { startServer } from '../support/server-process.ts';
import { freePort } from '../../src/main/free-ports.ts';
import { shipped } from '../support/shipped.ts';

export const secret = 'a secret for benches that guards nothing';
export const connections = 10; // to the mail server, for both; also what goes to one receiver at a time

/** The whole service as it is run: each part a process of its own, and an engine. */
export interface Service {
  readonly url: string;
  readonly pids: Readonly<Record<'api' | 'handlers' | 'relay' | 'restate', number>>;
  /** Holds the handlers where they are, and lets them go on. Not for longer than they wait for a mail server. */
  hold(): void;
  release(): void;
  /** Ends the handlers and starts them anew, with other settings beside their own. */
  restartHandlers(settings: Readonly<Record<string, string>>): Promise<void>;
  /** Tells the engine of everything that is due or will be, as `rostrum rearm` does. */
  rearm(): Promise<void>;
}

/** Starts it all; how to end each part goes into `closing`, the last to be ended first. */
export async function startService(
  databaseUrl: string,
  smtpPort: number,
  closing: (() => unknown)[],
): Promise<Service> {
  const restate = await startLocalRestate();
  endWithUs(restate.pid);
  closing.push(
    () => restate.remove(),
    () => restate.stop(),
  );
  const env = {
    DATABASE_URL: databaseUrl,
    ROSTRUM_SECRET: secret,
    RATE_READ_PER_MINUTE: '1000000000',
    RATE_WRITE_PER_MINUTE: '1000000000',
    RATE_HEAVY_PER_MINUTE: '1000000000',
    PUBLIC_URL: 'https://mail.example.test',
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    SMTP_CONNECTIONS: String(connections),
    RESTATE_INGRESS_URL: restate.ingressUrl,
    RESTATE_ADMIN_URL: restate.adminUrl,
    RESTATE_IDENTITY_KEY: restate.identityKey,
    HANDLERS_PORT: String(await freePort()),
  };
  const profile = process.env['BENCH_PROFILE'];
  const flags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  let handlers = startPart('handlers', env, flags);
  const relay = startPart('relay', env);
  closing.push(() => Promise.all([stopPart(handlers), stopPart(relay)]));
  const api = await startServer([...asShipped, 'serve', 'api'], env);
  closing.push(() => api.stop());
  await registered(`${restate.adminUrl}/services/BroadcastRun`);
  return {
    url: api.url,
    pids: {
      api: api.child.pid ?? 0,
      get handlers() {
        return handlers.pid ?? 0;
      },
      relay: relay.pid ?? 0,
      restate: restate.pid,
    },
    hold: () => void handlers.kill('SIGSTOP'),
    release: () => void handlers.kill('SIGCONT'),
    restartHandlers: async (settings) => {
      await stopPart(handlers);
      handlers = startPart('handlers', { ...env, ...settings }, flags);
    },
    rearm: async () => {
      const pool = openPool({ url: databaseUrl, size: 1, onError: () => undefined });
      await rearm(openDatabase(pool), new Date());
      await pool.end();
    },
  };
}

/** As bin/rostrum and the container start it. */
const asShipped = ['--max-semi-space-size=16', shipped];

function startPart(
  part: 'handlers' | 'relay',
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): ChildProcess {
  const child = spawn(process.execPath, [...flags, ...asShipped, 'serve', part], {
    env: { ...process.env, DATABASE_ALLOW_SUPERUSER: 'true', OPERATOR_PORT: '0', ...env },
    stdio: ['ignore', 'ignore', process.env['BENCH_LOG'] === undefined ? 'ignore' : 'inherit'],
  });
  endWithUs(child.pid ?? 0);
  return child;
}

async function stopPart(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGCONT'); // it may be held
  child.kill('SIGTERM');
  const slow = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await gone;
  clearTimeout(slow);
}

async function registered(url: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const ok = await fetch(url)
      .then((response) => response.ok)
      .catch(() => false);
    if (ok) return;
    await pause(100);
  }
  throw new Error('the handlers did not register');
}
