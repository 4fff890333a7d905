import { removeValues, type RemovalParts } from '../domain/properties/remove-values.ts';
import type { Slots } from '../kernel/slots.ts';
import { inPlace } from './in-place.ts';
import type { MessageHandler } from './mount-handlers.ts';
import { shortRetries } from './short-retries.ts';

/**
 * Removes the values of deleted properties, some parts at a time. The removal's row says how far it is: a duplicate
 * message does nothing, and the sweep sends a lost one again.
 */
export const propertyRemoval = (
  parts: RemovalParts,
  places: Slots,
  onDone: (fields: object, message: string) => void,
): MessageHandler<'PropertyRemoval'> => ({
  options: { inactivityTimeout: { minutes: 1 }, abortTimeout: { minutes: 1 }, retryPolicy: shortRetries },
  handle: async (context, ref, again) => {
    const { org_id, config_id } = ref;
    const removed = await context.run('remove', () =>
      inPlace({ places, owner: org_id, stopping: parts.stopping }, () => removeValues(parts, ref)),
    );
    if (removed === 'no_place') return removed;
    if (removed.outcome === 'more') again({ config_id, after: removed.after });
    else if (removed.outcome === 'done')
      onDone({ org_id, config_id }, 'the values of a deleted property are gone');
  },
});
