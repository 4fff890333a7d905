import { z } from 'zod';
import { BroadcastId, SegmentId, WebinarId } from '../../../kernel/ids.ts';
import { MomentOut, outgoing } from '../../../kernel/moment.ts';
import { VariablesOut } from '../../content/variables/definition.ts';
import { displayFrom } from '../../senders/sender.ts';
import type { BroadcastRow, ListedRow } from './broadcast-rows.ts';
import { sendTime } from './send-time.ts';

export const statuses = ['draft', 'scheduled', 'sending', 'sent', 'stopped', 'error'] as const;
export const channels = ['email', 'sms'] as const;
export const audiences = ['everyone', 'segment', 'webinar'] as const;
export const webinarAudiences = ['registered', 'attended', 'no_show'] as const;
export const webinarAnchors = ['start', 'end'] as const;

// Parts with a name are described once in the list of tools.
const Actor = z
  .object({ kind: z.enum(['api_key', 'user', 'service']), id: z.string() })
  .meta({ id: 'Actor' });
type Actor = z.infer<typeof Actor>;

const Audience = z
  .object({
    kind: z.enum(audiences),
    segment_id: SegmentId.nullable(),
    segment_name: z.string().nullable(),
    webinar_id: WebinarId.nullable(),
    webinar_title: z.string().nullable(),
    webinar_audience: z.enum(webinarAudiences).nullable(),
  })
  .meta({ id: 'BroadcastAudience' });

const Timing = z
  .object({
    send_at: MomentOut.nullable(),
    webinar_offset_minutes: z.number().nullable(),
    webinar_anchor: z.enum(webinarAnchors).nullable(),
    webinar_moved: z.boolean().describe('The webinar moved after this was scheduled; send_at stayed.'),
    paced_over_hours: z.number().nullable(),
    started_at: MomentOut.nullable(),
    finished_at: MomentOut.nullable(),
  })
  .meta({ id: 'BroadcastTiming' });

export const ShownSender = z
  .object({ id: z.guid(), from: z.string(), reply_to: z.string() })
  .meta({ id: 'ShownSender' });

const Counts = z
  .object({ recipients: z.int(), sent: z.int(), skipped: z.int(), failed: z.int() })
  .meta({ id: 'BroadcastCounts' });

export const Held = z.object({ since: MomentOut, planned: z.int(), counted: z.int() }).meta({
  id: 'Held',
  description: 'It did not begin, as the audience had changed: release or unschedule it.',
});

/** As lists show it: without the body. */
export const ListedBroadcast = z
  .object({
    id: BroadcastId,
    status: z.enum(statuses),
    channel: z.enum(channels),
    audience: Audience,
    subject: z.string().nullable(),
    preview_text: z.string().nullable(),
    sender: ShownSender.nullable(),
    timing: Timing,
    hold_if_audience_changes_by: z.int().nullable(),
    held: Held.nullable(),
    counts: Counts,
    error: z.string().nullable(),
    revision: z.int(),
    created_at: MomentOut,
    updated_at: MomentOut,
    created_by: Actor,
    planned_by: Actor.nullable().describe('Whose plan it was scheduled with.'),
    scheduled_by: Actor.nullable(),
  })
  .meta({ id: 'ListedBroadcast' });

export const Broadcast = ListedBroadcast.extend({
  html: z.string().nullable(),
  message_body: z.string().nullable(),
  variables: VariablesOut,
}).meta({ id: 'Broadcast' });

type Listed = z.input<typeof ListedBroadcast>;

export const toListed = (row: ListedRow): Listed => ({
  id: row.id as BroadcastId,
  status: row.status as Listed['status'],
  channel: row.channel as Listed['channel'],
  audience: {
    kind: row.audience as Listed['audience']['kind'],
    segment_id: row.segment_id as SegmentId | null,
    segment_name: row.segment_name,
    webinar_id: row.webinar_id as WebinarId | null,
    webinar_title: row.webinar_title,
    webinar_audience: row.webinar_audience as Listed['audience']['webinar_audience'],
  },
  subject: row.subject,
  preview_text: row.preview_text,
  sender:
    row.sender_id === null
      ? null
      : {
          id: row.sender_id,
          from: displayFrom(row.sender_name ?? '', row.sender_email ?? ''),
          reply_to: row.sender_reply_to ?? row.sender_email ?? '',
        },
  timing: {
    send_at: outgoing(row.send_at),
    webinar_offset_minutes: row.webinar_offset_minutes,
    webinar_anchor: row.webinar_anchor as Listed['timing']['webinar_anchor'],
    webinar_moved: hasWebinarMoved(row),
    paced_over_hours: row.paced_over_hours,
    started_at: outgoing(row.started_at),
    finished_at: outgoing(row.finished_at),
  },
  hold_if_audience_changes_by: row.hold_if_audience_changes_by,
  held: heldOf(row),
  counts: { recipients: row.recipients, sent: row.sent, skipped: row.skipped, failed: row.failed },
  error: row.error,
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  created_by: row.created_by as unknown as Actor,
  planned_by: row.planned_by as unknown as Actor | null,
  scheduled_by: row.scheduled_by as unknown as Actor | null,
});

export const toBroadcast = (row: BroadcastRow): z.input<typeof Broadcast> => ({
  ...toListed(row),
  html: row.html,
  message_body: row.message_body,
  variables: row.variables as unknown as z.infer<typeof VariablesOut>,
});

type HeldRow = Pick<ListedRow, 'held_at' | 'planned_recipients' | 'held_recipients'>;

/** Since when a broadcast waits for a person's decision, and the two counts that differed; null if it does not. */
export const heldOf = ({ held_at, planned_recipients, held_recipients }: HeldRow): Listed['held'] =>
  held_at === null
    ? null
    : { since: held_at.toISOString(), planned: planned_recipients ?? 0, counted: held_recipients ?? 0 };

/** A scheduled broadcast keeps its send time when its webinar moves; this flag tells readers. */
function hasWebinarMoved(row: ListedRow): boolean {
  if (row.status !== 'scheduled' || row.webinar_start === null) return false;
  const { at } = sendTime(row, { start_time: row.webinar_start, duration_minutes: row.webinar_minutes });
  return row.webinar_offset_minutes !== null && at?.getTime() !== row.send_at?.getTime();
}
