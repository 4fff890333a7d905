import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { endWithUs } from '../../benches/support/end-with-us.ts';
import type { LocalRestate } from '../../src/main/local-restate.ts';
import { shipped } from '../../benches/support/shipped.ts';

/** Whatever can be killed as a crash would, and started again. */
export interface Killable {
  readonly name: string;
  readonly kill: () => Promise<void>;
  readonly start: () => void | Promise<void>;
}

type Env = Readonly<Record<string, string>>;

const againMs = 200;

/** A part of the service as a process of its own. One that ends by itself is started again, as whoever runs it would. */
export class Part implements Killable {
  readonly name: string;
  /** How often it ended without having been told to. */
  endedByItself = 0;
  readonly #env: Env;
  #child: ChildProcess | undefined;

  constructor(name: string, env: Env) {
    this.name = name;
    this.#env = env;
  }

  start(): void {
    const child = spawn(process.execPath, [shipped, 'serve', this.name], {
      env: { ...process.env, DATABASE_ALLOW_SUPERUSER: 'true', OPERATOR_PORT: '0', ...this.#env },
      stdio: ['ignore', 'ignore', process.env['FAULTS_LOG'] === undefined ? 'ignore' : 'inherit'],
    });
    this.#child = child;
    endWithUs(child.pid ?? 0);
    child.once('exit', () => {
      if (this.#child !== child) return;
      this.endedByItself += 1;
      setTimeout(() => this.#child === child && this.start(), againMs);
    });
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  }
}

export const restatePart = (restate: LocalRestate): Killable => ({
  name: 'Restate',
  kill: () => restate.stop('SIGKILL'),
  start: async () => {
    await restate.start();
    endWithUs(restate.pid);
  },
});

/** `rostrum rearm`, which is what the relay's own sweep runs every half minute. */
export async function rearm(env: Env): Promise<void> {
  const run = promisify(execFile);
  await run(process.execPath, [shipped, 'rearm'], { env: { ...process.env, ...env } });
}

/** Waits until an address answers well. */
export async function until(url: string): Promise<void> {
  for (let attempt = 0; attempt < 900; attempt++) {
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return;
    await pause(100);
  }
  throw new Error(`${url} did not answer`);
}
