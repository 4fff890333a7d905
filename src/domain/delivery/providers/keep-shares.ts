import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../../database/pool.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { leaseShares, returnShares } from './lease-shares.ts';

/** A number of things that all processes of the installation have together. */
export interface Budget {
  readonly name: string;
  readonly total: number;
  /** How many this process has in use. */
  readonly inUse: () => number;
  /** How many this process may have from now on. */
  readonly resize: (share: number) => void;
}

const renewMs = 5_000;
const soonMs = 500;

/**
 * Keeps this process's shares of the budgets there are: leases them, renews them and hands them back in the end. It
 * resolves after the first try; while the database is away, the process keeps what it has, and can send nothing anyway.
 */
export async function keepShares(
  database: Database,
  clock: Clock,
  look: () => Promise<readonly Budget[]>,
  onTrouble: (error: Error) => void,
): Promise<{ close(): Promise<void> }> {
  const process = randomUUID();
  const stop = new AbortController();

  /** Answers when to renew: soon while it uses more than its part, for which others wait. */
  async function renew(): Promise<number> {
    const budgets = await look();
    const wanted = budgets.map(({ name, total, inUse }) => ({ budget: name, total, in_use: inUse() }));
    const shares = await leaseShares(database, process, wanted, clock.now());
    for (const { name, resize } of budgets) resize(shares.get(name)!);
    return budgets.some(({ name, inUse }) => inUse() > shares.get(name)!) ? soonMs : renewMs;
  }

  const surely = (): Promise<number> =>
    renew().catch((error: Error) => {
      onTrouble(error);
      return soonMs;
    });

  async function renewing(first: number): Promise<void> {
    for (let wait = first; !stop.signal.aborted; wait = await surely()) {
      await pause(wait, undefined, { signal: stop.signal }).catch(() => undefined);
      if (stop.signal.aborted) return;
    }
  }

  const running = renewing(await surely());
  return {
    close: async () => {
      stop.abort();
      await running;
      await returnShares(database, process).catch(onTrouble);
    },
  };
}
