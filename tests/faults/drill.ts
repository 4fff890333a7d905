import type { Options, Size } from '../../benches/support/command.ts';
import type { Figure } from '../../benches/support/figure.ts';
import { startDrillPostgres } from './drill-postgres.ts';
import { loseAndRestore } from './restore.ts';

/** A segment of the log is 16 MB, however little is in it: one a second for ten minutes would be 10 GB. */
const archiveSeconds = { small: 1, full: 60 };

/** What an operator does on the day that the server is lost, tried from the backup to the last message. */
export const drill = (size: Size, options: Options): Promise<Figure[]> =>
  loseAndRestore(size, options, () => startDrillPostgres(archiveSeconds[size]));
