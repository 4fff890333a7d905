import type { Options, Size } from '../../benches/support/command.ts';
import type { Figure } from '../../benches/support/figure.ts';
import { startDrillPostgres } from './drill-postgres.ts';
import { loseAndRestore } from './restore.ts';

/** What an operator does on the day that the server is lost, tried from the backup to the last message. */
export const drill = (size: Size, options: Options): Promise<Figure[]> =>
  loseAndRestore(size, options, startDrillPostgres);
