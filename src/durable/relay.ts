import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../database/pool.ts';
import type { Engine } from './engine.ts';
import { relayBatch, type RelayPlace } from './relay-batch.ts';

const idleMs = 100;
const troubledMs = 1_000;
/** Messages that were not taken, before all of them are tried anew. */
const mostAside = 5_000;

/**
 * Relays until stopped, and finishes the batch under way first. Messages that the engine does not take, because no
 * handler serves them yet, are put aside and come round again: any number of them leaves the others moving.
 */
export async function runRelay(
  database: Database,
  engine: Engine,
  stop: AbortSignal,
  onTrouble: (error: unknown) => void,
): Promise<void> {
  let place: RelayPlace = {};
  while (!stop.aborted) {
    let rest = 0;
    try {
      const { found, refused, next, round } = await relayBatch(database, engine, place);
      const aside = [...(place.aside ?? []), ...refused];
      const isRound = found === 0 || aside.length > mostAside;
      place = { after: next, aside: isRound ? [] : aside, round };
      if (found === 0 && next === undefined) rest = idleMs;
      if (refused.length > 0) {
        onTrouble(new Error(`the engine took ${found - refused.length} of ${found} messages`));
        rest = troubledMs;
      }
    } catch (error) {
      onTrouble(error);
      rest = troubledMs;
    }
    if (rest > 0) await pause(rest, undefined, { signal: stop }).catch(() => undefined);
  }
}
