import * as restate from '@restatedev/restate-sdk';
import { z } from 'zod';
import { syncAttendance, type SyncParts } from '../domain/webinars/sync-attendance.ts';
import { OrgId } from '../kernel/ids.ts';
import { inPlace, type Slots } from '../kernel/slots.ts';

const Asked = z.object({
  org_id: OrgId,
  sync_webinar_id: z.guid(),
  ticket: z.int().optional(),
  cursor: z.string().max(2_000).optional(),
  rows: z.int().optional(),
  strangers: z.int().optional(),
  tries: z.int().optional(),
});

interface Handlers {
  read(context: restate.Context, raw: unknown): Promise<void>;
}
const itself: restate.ServiceDefinition<'AttendanceSync', Handlers> = { name: 'AttendanceSync' };

/** Reads participants reports, some pages at a time. The row says when one is due and who is reading it. */
export const attendanceSync = (
  parts: SyncParts & { readonly stopping: AbortSignal },
  places: Slots,
  onRead: (fields: object, message: string) => void,
) => {
  return restate.service({
    name: itself.name,
    options: { journalRetention: 0, inactivityTimeout: { minutes: 10 }, abortTimeout: { minutes: 3 } },
    handlers: {
      read: async (context: restate.Context, raw: unknown): Promise<void> => {
        const parsed = Asked.safeParse(raw);
        if (!parsed.success) throw new restate.TerminalError('not a report to read');
        const { org_id, sync_webinar_id, ...rest } = parsed.data;
        const ref = { org: org_id, webinar: sync_webinar_id, ...definedOf(rest) };
        const next = await context.run('read', () =>
          inPlace(places, parts.stopping, () => syncAttendance(parts, ref)),
        );
        if (next.outcome === 'on') {
          const { org: _, webinar: __, ...on } = next.ref;
          const again = { org_id, sync_webinar_id, ...on };
          context.serviceSendClient(itself).read(again, restate.rpc.sendOpts({ delay: next.waitMs }));
        } else if (next.outcome !== 'not_due') {
          const fields = { org_id, webinar_id: sync_webinar_id, strangers: next.strangers };
          onRead(
            fields,
            next.outcome === 'read' ? 'a participants report was read' : 'a participants report waits',
          );
        }
      },
    },
  });
};

const definedOf = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
