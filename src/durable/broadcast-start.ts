import type { Received } from '../database/engine-messages.ts';
import type { Database } from '../database/pool.ts';
import { orgTransaction } from '../database/org-transaction.ts';
import { beginSending, type StartDelivery } from '../domain/broadcasts/sending/begin-sending.ts';
import { isForFew } from '../domain/broadcasts/sending/for-few.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Slots } from '../kernel/slots.ts';
import { inPlace } from './in-place.ts';
import type { MessageHandler } from './mount-handlers.ts';

export interface BroadcastStartParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly places: Slots;
  readonly stopping: AbortSignal;
  /** Starts delivery. Without it nothing can be sent, and the broadcast says so. */
  readonly deliver: StartDelivery | undefined;
  readonly onRung: (alarm: Received<'BroadcastStart'>, outcome: string) => void;
}

/**
 * The alarm of a scheduled broadcast. The row decides: an early alarm is set again, a duplicate does nothing. Of many
 * that ring at the same moment, those for few go first.
 */
export const broadcastStart = ({
  database,
  clock,
  places,
  stopping,
  deliver,
  onRung,
}: BroadcastStartParts): MessageHandler<'BroadcastStart'> => ({
  options: { inactivityTimeout: { minutes: 1 }, abortTimeout: { minutes: 1 } },
  handle: async (context, alarm, again) => {
    const { org_id: org, broadcast_id } = alarm;
    const begun = await context.run('begin', async () => {
      const isFew = await orgTransaction(database, org, 'read', (db) => isForFew({ db, org }, broadcast_id));
      return inPlace({ places, owner: org, stopping, kind: isFew ? 'short' : 'long' }, () =>
        beginSending(database, alarm, clock.now(), deliver),
      );
    });
    if (begun === 'no_place') return begun;
    if (begun.outcome === 'early') {
      again({ broadcast_id, revision: String(alarm.revision) }, begun.waitMs);
    } else onRung(alarm, begun.outcome);
  },
});
