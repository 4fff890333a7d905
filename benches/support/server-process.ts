import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../src/main/free-ports.ts';
import { endWithUs } from './end-with-us.ts';

export interface ServerProcess {
  readonly url: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Runs a script as a process of its own that listens on PORT, and waits until `path` answers. */
export async function startServer(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  path = '/health',
): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [...args], {
    env: { ...process.env, DATABASE_ALLOW_SUPERUSER: 'true', OPERATOR_PORT: '0', ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  endWithUs(child.pid ?? 0);
  for (let attempt = 0; attempt < 1_200; attempt++) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with code ${child.exitCode}`);
    const ok = await fetch(url + path)
      .then((response) => response.ok)
      .catch(() => false);
    if (ok) return { url, child, stop: () => stop(child) };
    await pause(50);
  }
  throw new Error(`${args.join(' ')} did not answer`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}
