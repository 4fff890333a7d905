import { people } from './people/bench.ts';
import { runCommand } from './support/command.ts';

await runCommand('bench', { people });
