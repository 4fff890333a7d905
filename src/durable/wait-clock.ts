import { ring, type RingParts } from '../domain/workflows/runs/ring.ts';
import type { Slots } from '../kernel/slots.ts';
import { inPlace } from './in-place.ts';
import type { MessageHandler } from './mount-handlers.ts';
import { shortRetries } from './short-retries.ts';

const longestWaitMs = 7 * 24 * 3_600_000; // a longer wait is early when this ends, and is set again

/** The alarm of many waits. The rows decide: an early alarm is set again, a duplicate does nothing. */
export const waitClock = (
  parts: RingParts,
  places: Slots,
  onRung: (fields: object, message: string) => void,
): MessageHandler<'WaitClock'> => ({
  options: { inactivityTimeout: { minutes: 1 }, abortTimeout: { minutes: 1 }, retryPolicy: shortRetries },
  handle: async (context, { org_id, clock_id, at, ...told }, again) => {
    const holder = told.holder ?? context.rand.uuidv4();
    const rung = await context.run('ring', () =>
      inPlace({ places, owner: org_id, stopping: parts.stopping }, () =>
        ring(parts, { org_id, clock_id, at: new Date(at), holder }),
      ),
    );
    if (rung === 'no_place') return rung;
    if (rung.outcome === 'early') again({ clock_id, at, holder }, Math.min(rung.waitMs, longestWaitMs));
    else if (rung.outcome === 'more') again({ clock_id, at, holder });
    if ('released' in rung && rung.released > 0)
      onRung({ org_id, clock_id, released: rung.released }, 'waits were released');
  },
});
