import type { Database } from '../database/pool.ts';
import { applyDueChanges } from '../domain/properties/apply-due-changes.ts';
import type { Slots } from '../kernel/slots.ts';
import { inPlace } from './in-place.ts';
import type { MessageHandler } from './mount-handlers.ts';
import { shortRetries } from './short-retries.ts';

/** Applies custom properties that identify_person accepted. The row says what; running twice finds nothing left. */
export const personProperties = (
  { database, stopping }: { readonly database: Database; readonly stopping: AbortSignal },
  places: Slots,
  onApplied: (requestId: string, org: string) => void,
): MessageHandler<'PersonProperties'> => ({
  options: { inactivityTimeout: { minutes: 1 }, abortTimeout: { minutes: 1 }, retryPolicy: shortRetries },
  handle: async (context, { org_id, ...change }) => {
    const applied = await context.run('apply', () =>
      inPlace({ places, owner: org_id, stopping }, () => applyDueChanges(database, org_id, change)),
    );
    if (applied === 'no_place') return applied;
    for (const request of applied) onApplied(request, org_id);
  },
});
