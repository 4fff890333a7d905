import { removeOrganization, type OrgRemovalParts } from '../domain/orgs/remove-organization.ts';
import type { Slots } from '../kernel/slots.ts';
import { inPlace } from './in-place.ts';
import type { MessageHandler } from './mount-handlers.ts';
import { shortRetries } from './short-retries.ts';

/** Removes deleted organizations, some parts at a time, as property-removal.ts does with values. */
export const organizationRemoval = (
  parts: OrgRemovalParts,
  places: Slots,
  onDone: (fields: object, message: string) => void,
): MessageHandler<'OrganizationRemoval'> => ({
  options: { inactivityTimeout: { minutes: 1 }, abortTimeout: { minutes: 1 }, retryPolicy: shortRetries },
  handle: async (context, { org_id, asked_at, after }, again) => {
    const removed = await context.run('remove', () =>
      inPlace({ places, owner: org_id, stopping: parts.stopping }, () =>
        removeOrganization(parts, { org_id, after }),
      ),
    );
    if (removed === 'no_place') return removed;
    if (removed.outcome === 'more') again({ asked_at, after: removed.after });
    else if (removed.outcome === 'done') onDone({ org_id }, 'a deleted organization is gone');
  },
});
