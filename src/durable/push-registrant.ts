import { pushRegistrants, type PushParts } from '../domain/webinars/platforms/push-registrants.ts';
import type { Slots } from '../kernel/slots.ts';
import { definedOf } from './defined-of.ts';
import { inPlace } from './in-place.ts';
import type { MessageHandler } from './mount-handlers.ts';

/**
 * Pushes registrants to webinar platforms, some at a time for one webinar. The rows say who is still to be pushed and
 * which handler is at work, so a duplicate message does nothing, and the sweep sends a lost one again.
 */
export const platformPush = (
  parts: PushParts & { readonly stopping: AbortSignal },
  places: Slots,
): MessageHandler<'PlatformPush'> => ({
  options: { inactivityTimeout: { minutes: 3 }, abortTimeout: { minutes: 3 } },
  handle: async (context, { org_id, push_webinar_id, ...rest }, again) => {
    const ref = { org: org_id, webinar: push_webinar_id, ...definedOf(rest) };
    const next = await context.run('push', () =>
      inPlace({ places, owner: org_id, stopping: parts.stopping }, () => pushRegistrants(parts, ref)),
    );
    if (next === 'no_place') return next;
    if (next === undefined) return undefined;
    const { waitMs, ...on } = next;
    again({ push_webinar_id, ...on }, waitMs);
  },
});
