import { tell } from '../support/command.ts';
import { forkScript } from '../support/forked.ts';
import { processorSeconds } from '../support/process-figures.ts';
import type { Setting } from './arrange.ts';

const window = 64; // as many as the service claims together

/** Milliseconds of processor time a message that a ledger takes at least: by hand, and in PostgreSQL. */
export interface LedgerFloor {
  readonly byHand: number;
  readonly PostgreSQL: number;
}

/** Writes the rows of a broadcast that was sent once more, by hand. */
export async function measureLedgerFloor(
  { org }: Setting,
  url: string,
  broadcast: string,
): Promise<LedgerFloor> {
  tell('writing the same rows by hand');
  const ledger = forkScript(new URL('floor-ledger.ts', import.meta.url));
  try {
    const backend = await ledger.ask<number>({ ask: 'open', url, org: org.id, broadcast, window });
    const before = [ledger.pid, backend].map(processorSeconds);
    const messages = await ledger.ask<number>({ ask: 'run' });
    const after = [ledger.pid, backend].map(processorSeconds);
    await ledger.ask({ ask: 'close' });
    const each = (part: 0 | 1): number => ((after[part]! - before[part]!) / messages) * 1000;
    return { byHand: each(0), PostgreSQL: each(1) };
  } finally {
    await ledger.stop();
  }
}
