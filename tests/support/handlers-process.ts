import { setTimeout as pause } from 'node:timers/promises';
import { endWithUs } from '../../benches/support/end-with-us.ts';
import { shipped } from '../../benches/support/shipped.ts';
import { freePort } from '../../src/main/free-ports.ts';
import type { LocalRestate } from '../../src/main/local-restate.ts';
import { startCommand, type Ended } from '../blackbox/run-command.ts';

export interface HandlersProcess {
  readonly port: number;
  /** Whether it came to listen; if not, how it ended. */
  readonly listens: Promise<true | Ended>;
  log(): string;
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<Ended>;
}

export interface HandlersOptions {
  readonly restate: LocalRestate;
  readonly databaseUrl: string;
  /** A copy of the source that runs instead of this one. */
  readonly root?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** `rostrum serve handlers` as a process of its own, at a port of its own. */
export async function startHandlersProcess(options: HandlersOptions): Promise<HandlersProcess> {
  const { restate, databaseUrl, root, env } = options;
  const port = await freePort();
  const { child, stderr, ended } = startCommand(
    process.execPath,
    [root === undefined ? shipped : `${root}/src/main/cli.ts`, 'serve', 'handlers'],
    {
      DATABASE_URL: databaseUrl,
      DATABASE_ALLOW_SUPERUSER: 'true',
      ROSTRUM_SECRET: 'a secret for tests that nobody else has',
      RESTATE_INGRESS_URL: restate.ingressUrl,
      RESTATE_ADMIN_URL: restate.adminUrl,
      RESTATE_IDENTITY_KEY: restate.identityKey,
      HANDLERS_PORT: String(port),
      OPERATOR_PORT: '0',
      ...env,
    },
  );
  endWithUs(child.pid ?? 0);
  const isUp = async (): Promise<true> => {
    while (!stderr().includes('the durable handlers listen') && child.exitCode === null) await pause(50);
    return child.exitCode === null ? true : new Promise(() => undefined);
  };
  return {
    port,
    listens: Promise.race([isUp(), ended]),
    log: stderr,
    end: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}
