import { runCommand } from '../../benches/support/command.ts';
import { outbox } from './outbox.ts';

await runCommand('faults', { outbox });
