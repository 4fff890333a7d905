import { parseArgs } from 'node:util';

import { UsageError } from './arguments.ts';
import { commands, usage } from './commands.ts';
import { ConfigError } from './config.ts';

const [name = 'help', ...rest] = process.argv.slice(2);

try {
  const command = commands.get(name);
  if (command === undefined) throw new UsageError(name === 'help' ? '' : `There is no command ${name}.`);
  const { values, positionals } = parseArgs({ args: rest, options: command.options, allowPositionals: true });
  await command.run(values, positionals);
} catch (error) {
  const { code = '' } = error as { code?: string };
  if (error instanceof UsageError || code.startsWith('ERR_PARSE_ARGS')) {
    process.stderr.write(`${(error as Error).message}\n\n${usage()}\n`);
    process.exitCode = name === 'help' ? 0 : 2;
  } else if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  } else if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === '28P01' || code === '3D000') {
    process.stderr.write(
      `The database cannot be used (${code}). Check DATABASE_URL and that PostgreSQL is running.\n`,
    );
    process.exitCode = 1;
  } else {
    process.stderr.write(`${(error as Error).stack ?? String(error)}\n`);
    process.exitCode = 1;
  }
}
