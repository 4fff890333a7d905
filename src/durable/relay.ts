import { setTimeout as pause } from 'node:timers/promises';
import { relayTransaction } from '../database/org-transaction.ts';
import type { OutboxMessage } from '../database/outbox.ts';
import type { Database } from '../database/pool.ts';
import type { Engine } from './engine.ts';

const batch = 200;
const atOnce = 32;
const idleMs = 100;
const troubledMs = 1_000;

/**
 * Moves one batch from the outbox to the engine. Rows are held while they are handed over and deleted once taken, so
 * any number of relays may run; a crash in between hands a row over again, and the engine knows its id.
 */
export const relayBatch = (database: Database, engine: Engine): Promise<{ found: number; taken: number }> =>
  relayTransaction(database, async (db) => {
    const rows = await db
      .selectFrom('outbox')
      .select(['id', 'service', 'handler', 'payload'])
      .orderBy('id')
      .limit(batch)
      .forUpdate()
      .skipLocked()
      .execute();
    const taken: number[] = [];
    const waiting = rows.values();
    const hand = async (): Promise<void> => {
      for (const { id, service, handler, payload } of waiting) {
        const message = { service, handler, payload: payload as OutboxMessage['payload'] };
        if (await engine.send(message, String(id)).catch(() => false)) taken.push(id);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, hand));
    if (taken.length > 0) await db.deleteFrom('outbox').where('id', 'in', taken).execute();
    return { found: rows.length, taken: taken.length };
  });

/** Relays until told to stop; the batch under way is finished first. */
export async function runRelay(
  database: Database,
  engine: Engine,
  stop: AbortSignal,
  onTrouble: (error: unknown) => void,
): Promise<void> {
  while (!stop.aborted) {
    let rest = idleMs;
    try {
      const { found, taken } = await relayBatch(database, engine);
      if (taken < found) {
        onTrouble(new Error(`the engine took ${taken} of ${found} messages`));
        rest = troubledMs;
      } else if (found === batch) rest = 0;
    } catch (error) {
      onTrouble(error);
      rest = troubledMs;
    }
    if (rest > 0) await pause(rest, undefined, { signal: stop }).catch(() => undefined);
  }
}
