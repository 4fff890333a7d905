import type { Database } from './pool.ts';

/** Whether the whole installation holds its sending, and up to when forgotten messages were taken note of. */
export interface SendingState {
  readonly held_at: Date | null;
  readonly held_because: string | null;
  readonly released_at: Date | null;
}

export const readSending = (db: Database): Promise<SendingState> =>
  db.selectFrom('installation').select(['held_at', 'held_because', 'released_at']).executeTakeFirstOrThrow();

/** Nothing is handed over from here on, until `releaseSending`. The first reason is kept. */
export async function holdSending(db: Database, now: Date, because: string): Promise<void> {
  await db
    .updateTable('installation')
    .set({ held_at: now, held_because: because })
    .where('held_at', 'is', null)
    .execute();
}

/** Lets sending continue. Recipients that were handed over before and forgotten become uncertain. */
export async function releaseSending(db: Database, now: Date): Promise<void> {
  await db.updateTable('installation').set({ held_at: null, held_because: null, released_at: now }).execute();
}
