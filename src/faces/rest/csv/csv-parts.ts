import type { Perform } from '../../../catalogue/perform.ts';
import type { Caller } from '../../../kernel/caller.ts';

/** What a file is received with, and for whom. */
export interface CsvParts {
  readonly perform: Perform;
  readonly caller: Caller;
}
