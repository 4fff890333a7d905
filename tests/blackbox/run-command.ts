import { spawn, type ChildProcess } from 'node:child_process';
import { shipped } from '../../benches/support/shipped.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Command {
  readonly child: ChildProcess;
  stdout(): string;
  readonly stderr: () => string;
  readonly ended: Promise<Ended>;
}

/** Runs a program as a user would, collecting what it says. */
export function startCommand(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Command {
  const child = spawn(program, [...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (code) => resolve({ code, stdout, stderr })),
  );
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}

export const rostrum = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  startCommand(process.execPath, [shipped, ...args], env).ended;
