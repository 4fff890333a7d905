import * as restate from '@restatedev/restate-sdk';
import { z } from 'zod';
import { relayTransaction } from '../database/org-transaction.ts';
import { holdSending } from '../database/held-sending.ts';
import type { Database } from '../database/pool.ts';
import type { EngineObjects } from './engine.ts';
import { shortRetries } from './short-retries.ts';

const Beats = z.object({ beats: z.int().min(0) });
type Beats = z.output<typeof Beats>;

/** Remembers for each installation how often its database counted (ADR 61), and answers the highest number so far. */
export const historyObject = restate.object({
  name: 'History',
  options: { journalRetention: 0, retryPolicy: shortRetries },
  handlers: {
    beat: async (context: restate.ObjectContext, raw: unknown): Promise<Beats> => {
      const told = Beats.safeParse(raw);
      if (!told.success) throw new restate.TerminalError('not a count');
      const beats = Math.max(told.data.beats, (await context.get<number>('beats')) ?? 0);
      context.set('beats', beats);
      return { beats };
    },
  },
});

const because =
  'The engine has seen a later state of this database: it went back, as by a failover or a restore.';

/**
 * Counts one further, in the database and then in the engine. If the engine had counted more, the database went back,
 * even if nothing is being sent: sending holds. Returns whether it went back.
 */
export async function noticeGoingBack(
  database: Database,
  engine: EngineObjects,
  now: Date,
): Promise<boolean> {
  const { id, beats } = await relayTransaction(database, (db) =>
    db
      .updateTable('installation')
      .set((eb) => ({ beats: eb('beats', '+', 1) }))
      .returning(['id', 'beats'])
      .executeTakeFirstOrThrow(),
  );
  const answer = Beats.safeParse(await engine.ask({ name: 'History', key: id, handler: 'beat' }, { beats }));
  if (!answer.success || answer.data.beats <= beats) return false;
  return relayTransaction(database, async (db) => {
    // Another process may have counted on meanwhile. From here on this database has counted as far as the engine.
    const behind = await db
      .updateTable('installation')
      .set({ beats: answer.data.beats })
      .where('beats', '<', answer.data.beats)
      .returning('id')
      .executeTakeFirst();
    if (behind === undefined) return false;
    await holdSending(db, now, because);
    return true;
  });
}
