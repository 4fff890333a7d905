import { inspect, parseArgs } from 'node:util';
import { vi } from 'vitest';
import { UsageError } from '../../src/main/arguments.ts';
import { commands } from '../../src/main/commands.ts';
import { ConfigError } from '../../src/main/config.ts';
import { isLong } from '../support/volume.ts';
import { rostrum, type Ended } from './run-command.ts';

/** One after another: what a command says and reads of the environment is the process's. */
let last: Promise<unknown> = Promise.resolve();

/**
 * A command of `rostrum` in this process: to start one takes longer than what most of them do. Each file starts some
 * of its commands in earnest; the long mode does with all.
 */
export const rostrumHere = (args: readonly string[], env: Record<string, string>): Promise<Ended> => {
  if (isLong) return rostrum(args, env);
  const ended = last.then(() => run(args, env));
  last = ended;
  return ended;
};

async function run([name = '', ...rest]: readonly string[], env: Record<string, string>): Promise<Ended> {
  let stdout = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    stdout += String(chunk);
    return true;
  });
  const before = Object.keys(env).map((key): [string, string | undefined] => [key, process.env[key]]);
  Object.assign(process.env, env);
  try {
    const { options, run: command } = commands.get(name)!;
    const { values, positionals } = parseArgs({ args: rest, options, allowPositionals: true });
    await command(values, positionals);
    return { code: 0, stdout, stderr: '' };
  } catch (error) {
    // Which of them end a process with which code is told by those that are started in earnest.
    const isTold = error instanceof UsageError || error instanceof ConfigError;
    return { code: isTold ? 2 : 1, stdout, stderr: isTold ? error.message : inspect(error) };
  } finally {
    write.mockRestore();
    for (const [key, value] of before) {
      if (value === undefined) delete process.env[key];
      else process.env[key] = value;
    }
  }
}
