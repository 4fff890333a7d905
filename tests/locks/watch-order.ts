import type { Database } from '../../src/database/pool.ts';
import { RowLocks, thingIn, type Taken } from './row-locks.ts';
import { openWatched } from './watched-pool.ts';

/** A statement of a transaction, and the locks that it was the first to take. */
export interface Step {
  readonly statement: string;
  readonly taken: readonly Taken[];
}

export interface OrderWatch {
  readonly database: Database;
  /** The transactions that committed or rolled back since the last call, each as its steps. */
  drain(): Step[][];
  close(): Promise<void>;
}

/** A pool of one connection that writes down, statement by statement, what its transactions lock. */
export async function watchOrder(url: string, org: () => string): Promise<OrderWatch> {
  const locks = new RowLocks(url);
  await locks.open();
  let ended: Step[][] = [];
  let steps: Step[] = [];
  const watched = openWatched(url, {
    size: 1,
    afterStatement: async (pid, text) => {
      if (text.startsWith('begin')) {
        await locks.begin(org());
        steps = [];
      } else if (text === 'commit' || text === 'rollback') ended.push(steps);
      else {
        const taken = await locks.taken(org(), pid);
        const named = taken.map((one) =>
          one.what === 'lock of a thing' ? { ...one, what: thingIn(text) ?? one.what } : one,
        );
        if (named.length > 0) steps.push({ statement: text, taken: named });
      }
    },
  });
  return {
    database: watched.database,
    drain() {
      const all = ended;
      ended = [];
      return all;
    },
    async close() {
      await watched.close();
      await locks.close();
    },
  };
}
