import { spawn, type ChildProcess } from 'node:child_process';

/** A part of the service as a process of its own, which can be killed and started again. */
export class Part {
  readonly name: string;
  readonly #env: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;

  constructor(name: string, env: Readonly<Record<string, string>>) {
    this.name = name;
    this.#env = env;
  }

  start(): void {
    this.#child = spawn(process.execPath, ['src/main/cli.ts', 'serve', this.name], {
      env: { ...process.env, ...this.#env },
      stdio: ['ignore', 'ignore', process.env['FAULTS_LOG'] === undefined ? 'ignore' : 'inherit'],
    });
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  }
}
