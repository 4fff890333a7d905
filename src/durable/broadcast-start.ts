import type { Received } from '../database/engine-messages.ts';
import type { Database } from '../database/pool.ts';
import { beginSending, type StartDelivery } from '../domain/broadcasts/sending/begin-sending.ts';
import type { Clock } from '../kernel/clock.ts';
import type { MessageHandler } from './mount-handlers.ts';

export interface BroadcastStartParts {
  readonly database: Database;
  readonly clock: Clock;
  /** Starts delivery. Without it nothing can be sent, and the broadcast says so. */
  readonly deliver: StartDelivery | undefined;
  readonly onRung: (alarm: Received<'BroadcastStart'>, outcome: string) => void;
}

/** The alarm of a scheduled broadcast. The row decides: an early alarm is set again, a duplicate does nothing. */
export const broadcastStart = ({
  database,
  clock,
  deliver,
  onRung,
}: BroadcastStartParts): MessageHandler<'BroadcastStart'> => ({
  options: { inactivityTimeout: { minutes: 1 }, abortTimeout: { minutes: 1 } },
  handle: async (context, alarm, again) => {
    const begun = await context.run('begin', () => beginSending(database, alarm, clock.now(), deliver));
    if (begun.outcome === 'early') {
      again({ broadcast_id: alarm.broadcast_id, revision: String(alarm.revision) }, begun.waitMs);
    } else onRung(alarm, begun.outcome);
  },
});
