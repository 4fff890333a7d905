import { setTimeout as pause } from 'node:timers/promises';
import { relayTransaction } from '../database/org-transaction.ts';
import type { OutboxMessage } from '../database/outbox.ts';
import type { Database } from '../database/pool.ts';
import type { Engine } from './engine.ts';

const batch = 200;
const atOnce = 32;
const idleMs = 100;
const troubledMs = 1_000;

export interface Relayed {
  readonly found: number;
  readonly taken: number;
  /** Behind which row to go on; nothing at the end, where it begins anew. */
  readonly after?: number | undefined;
}

/**
 * Moves one batch from the outbox to the engine. Rows are held while they are handed over and deleted once taken, so
 * any number of relays may run; a crash in between hands a row over again, and the engine knows its id.
 */
export const relayBatch = (database: Database, engine: Engine, after = 0): Promise<Relayed> =>
  relayTransaction(database, async (db) => {
    const rows = await db
      .selectFrom('outbox')
      .select(['id', 'service', 'handler', 'payload'])
      .where('id', '>', after)
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
    const passed = taken.length < rows.length ? rows.at(-1)!.id : after;
    return { found: rows.length, taken: taken.length, after: rows.length === batch ? passed : undefined };
  });

/**
 * Relays until told to stop; the batch under way is finished first. What the engine does not take, because nobody serves
 * it yet, is passed over and comes round again: however many they are, the others go on.
 */
export async function runRelay(
  database: Database,
  engine: Engine,
  stop: AbortSignal,
  onTrouble: (error: unknown) => void,
): Promise<void> {
  let after: number | undefined;
  while (!stop.aborted) {
    let rest = idleMs;
    try {
      const { found, taken, after: next } = await relayBatch(database, engine, after);
      after = next;
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
