import * as restate from '@restatedev/restate-sdk';
import { z } from 'zod';
import { pushRegistrants, type PushParts } from '../domain/webinars/platforms/push-registrants.ts';
import { OrgId } from '../kernel/ids.ts';
import { inPlace, type Slots } from '../kernel/slots.ts';

const Asked = z.object({
  org_id: OrgId,
  push_webinar_id: z.guid(),
  ticket: z.int().optional(),
  troubles: z.int().optional(),
});

interface Handlers {
  push(context: restate.Context, raw: unknown): Promise<void>;
}
const itself: restate.ServiceDefinition<'PlatformPush', Handlers> = { name: 'PlatformPush' };

/**
 * Pushes registrants to webinar platforms, some at a time for one webinar. The rows say who is still to be pushed and
 * who is at it, so a message too many does nothing, and what is forgotten the sweep tells again.
 */
export const platformPush = (parts: PushParts & { readonly stopping: AbortSignal }, places: Slots) => {
  return restate.service({
    name: itself.name,
    options: { journalRetention: 0, inactivityTimeout: { minutes: 3 }, abortTimeout: { minutes: 3 } },
    handlers: {
      push: async (context: restate.Context, raw: unknown): Promise<void> => {
        const parsed = Asked.safeParse(raw);
        if (!parsed.success) throw new restate.TerminalError('not a push of registrants');
        const { org_id, push_webinar_id, ticket, troubles } = parsed.data;
        const ref = {
          org: org_id,
          webinar: push_webinar_id,
          ...(ticket !== undefined && { ticket }),
          ...(troubles !== undefined && { troubles }),
        };
        const next = await context.run('push', () =>
          inPlace(places, parts.stopping, () => pushRegistrants(parts, ref)),
        );
        if (next === undefined) return;
        const { waitMs, ...rest } = next;
        const again = { org_id, push_webinar_id, ...rest };
        context.serviceSendClient(itself).push(again, restate.rpc.sendOpts({ delay: waitMs }));
      },
    },
  });
};
