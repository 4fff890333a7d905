import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { prepareLocalRestate } from '../../src/main/local-restate.ts';
import { secret } from '../send/service.ts';
import { endWithUs } from '../support/end-with-us.ts';
import { freePort } from '../../src/main/free-ports.ts';

/** The port on which a part answers the operator is OPERATOR_PORT and this. */
const places = { all: 0, api: 0, handlers: 1, relay: 2, mailbox: 3 };
export type Part = keyof typeof places;

export interface Whole {
  /** From the start of the first process until every part says that it is ready. */
  readonly seconds: number;
  readonly pids: Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

export interface Program {
  readonly node: string;
  readonly script: string;
}

/** Its memory is bounded, and nothing that was compiled is kept for the next start. */
const asInTheContainer = {
  NODE_ENV: 'production',
  NODE_DISABLE_COMPILE_CACHE: '1',
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

interface Started {
  readonly part: Part;
  readonly child: ChildProcess;
  readonly readyUrl: string;
}

const lookMs = 10;
const longestMs = 60_000;

/** Starts an empty Restate and the parts at the same moment, none waiting for another, and waits until all are ready. */
export async function startWhole(
  { node, script }: Program,
  databaseUrl: string,
  parts: readonly Part[],
): Promise<Whole> {
  const restate = await prepareLocalRestate();
  const env = {
    ...process.env,
    ...asInTheContainer,
    DATABASE_URL: databaseUrl,
    ROSTRUM_SECRET: secret,
    LOG_LEVEL: 'warn',
    RESTATE_INGRESS_URL: restate.ingressUrl,
    RESTATE_ADMIN_URL: restate.adminUrl,
    RESTATE_IDENTITY_KEY: restate.identityKey,
    PORT: String(await freePort()),
    HANDLERS_PORT: String(await freePort()),
    MAILBOX_PORT: String(await freePort()),
  };
  const ports = await Promise.all(parts.map(() => freePort()));
  const began = performance.now();
  const engine = restate.start();
  endWithUs(restate.pid);
  const started = parts.map((part, index): Started => {
    const port = ports[index]!;
    const child = spawn(node, ['--max-semi-space-size=16', script, 'serve', part], {
      env: { ...env, OPERATOR_PORT: String(port - places[part]) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    endWithUs(child.pid ?? 0);
    return { part, child, readyUrl: `http://127.0.0.1:${port}/ready` };
  });
  const stop = async (): Promise<void> => {
    await Promise.all(started.map(({ child }) => end(child)));
    await restate.stop('SIGKILL');
    await restate.remove();
  };
  try {
    await Promise.all([engine, ...started.map(untilReady)]);
  } catch (error) {
    await stop();
    throw error;
  }
  const seconds = (performance.now() - began) / 1_000;
  const pids = Object.fromEntries(started.map(({ part, child }) => [part, child.pid ?? 0]));
  return { seconds, pids: { ...pids, Restate: restate.pid }, stop };
}

async function untilReady({ part, child, readyUrl }: Started): Promise<void> {
  const until = performance.now() + longestMs;
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`serve ${part} ended with code ${child.exitCode}`);
    const ok = await fetch(readyUrl).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return;
    await pause(lookMs);
  }
  throw new Error(`serve ${part} was not ready within a minute`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const slow = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await gone;
  clearTimeout(slow);
}
