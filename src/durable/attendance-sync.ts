import { syncAttendance, type SyncParts } from '../domain/webinars/platforms/sync-attendance.ts';
import type { Slots } from '../kernel/slots.ts';
import { definedOf } from './defined-of.ts';
import { inPlace } from './in-place.ts';
import type { MessageHandler } from './mount-handlers.ts';

/** Reads participants reports, some pages at a time. The row says when one is due and which handler is reading it. */
export const attendanceSync = (
  parts: SyncParts & { readonly stopping: AbortSignal },
  places: Slots,
  onRead: (fields: object, message: string) => void,
): MessageHandler<'AttendanceSync'> => ({
  options: { inactivityTimeout: { minutes: 10 }, abortTimeout: { minutes: 3 } },
  handle: async (context, { org_id, sync_webinar_id, ...rest }, again) => {
    const ref = { org: org_id, webinar: sync_webinar_id, ...definedOf(rest) };
    const next = await context.run('read', () =>
      inPlace({ places, owner: org_id, stopping: parts.stopping }, () => syncAttendance(parts, ref)),
    );
    if (next === 'no_place') return next;
    if (next.outcome === 'on') {
      const { org: _, webinar: __, ...on } = next.ref;
      again({ sync_webinar_id, ...on }, next.waitMs);
    } else if (next.outcome !== 'not_due') {
      const fields = { org_id, webinar_id: sync_webinar_id, strangers: next.strangers };
      onRead(
        fields,
        next.outcome === 'read' ? 'a participants report was read' : 'a participants report waits',
      );
    }
  },
});
