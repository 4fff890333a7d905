import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { BroadcastId, WebinarId } from '../../../kernel/ids.ts';
import { MomentOut, outgoing } from '../../../kernel/moment.ts';
import { refuseCanceled } from './move-time.ts';
import { StartTime } from '../record/webinar-fields.ts';
import { requireWebinar } from '../record/webinar.ts';
import { groupAnchored, type WaitGroup } from './waits-of.ts';

const mostGroups = 200;
const mostBroadcasts = 200;

const Group = z.object({
  workflow_id: z.guid(),
  workflow_name: z.string(),
  version: z.int(),
  node: z.string(),
  anchor: z.enum(['start', 'end']),
  offset_minutes: z.number(),
  count: z.int(),
  from: MomentOut,
  to: MomentOut,
  past: z.boolean().describe('The new moment has passed already.'),
  if_past: z
    .enum(['released', 'skipped'])
    .nullable()
    .describe("Of those past: released at once, or skipped by the wait's way for runs that come too late."),
});

export const previewReschedule = defineOperation({
  name: 'preview_reschedule',
  title: 'Preview a reschedule',
  summary:
    'What rescheduling a webinar to a start time would do now; nothing is changed. waits tells which workflow waits ' +
    'move from when to when, and what becomes of those whose new moment has passed. broadcasts are timed by the ' +
    'webinar and would keep their send time: unschedule those that should move.',
  permission: 'webinars.read',
  effect: 'read',
  cost: 'heavy',
  faces: { rest: ['POST /v1/webinars/:webinar_id/reschedule-preview'], tool: true },
  input: z.strictObject({
    webinar_id: WebinarId,
    start_time: StartTime.describe('ISO 8601 with an offset or Z.'),
  }),
  output: z.object({
    webinar_id: WebinarId,
    start_time: z.object({ from: MomentOut, to: MomentOut }),
    recomputed: z.int().describe('How many waits would move.'),
    already_past: z.int().describe('How many of them to a moment that has passed.'),
    waits: z.array(Group).describe(`Up to ${mostGroups} groups of them, the earliest first.`),
    groups_left_out: z.int(),
    broadcasts: z
      .array(
        z.object({
          id: BroadcastId,
          channel: z.enum(['email', 'sms']),
          subject: z.string().nullable(),
          send_at: MomentOut.nullable(),
        }),
      )
      .describe(`Scheduled, up to ${mostBroadcasts}.`),
  }),
  handle: async (work, { webinar_id, start_time }) => {
    const webinar = await requireWebinar(work, webinar_id);
    refuseCanceled(webinar);
    const movedByMs = start_time.getTime() - webinar.start_time.getTime();
    const found = await groupAnchored(work, webinar_id, movedByMs, mostGroups);
    return {
      webinar_id,
      start_time: { from: webinar.start_time.toISOString(), to: start_time.toISOString() },
      recomputed: found.waits,
      already_past: found.past,
      waits: found.groups.map((group) => toGroup(group, movedByMs < 0)),
      groups_left_out: found.left_out,
      broadcasts: await listTimed(work, webinar_id),
    };
  },
});

const toGroup = (group: WaitGroup, isForward: boolean): z.input<typeof Group> => ({
  workflow_id: group.workflow_id,
  workflow_name: group.workflow_name,
  version: group.version,
  node: group.node,
  anchor: group.anchor,
  offset_minutes: group.offset_ms / 60_000,
  count: group.count,
  from: group.from.toISOString(),
  to: group.to.toISOString(),
  past: group.past,
  // A postponed wait that is still past is late, and continues as it would have: see changeWebinar.
  if_past: group.past ? (group.hasPastEdge && isForward ? 'skipped' : 'released') : null,
});

/** The scheduled broadcasts whose send time was computed from this webinar. */
async function listTimed({ db, org }: Work, webinar: WebinarId) {
  const rows = await db
    .selectFrom('broadcasts')
    .select(['id', 'channel', 'subject', 'send_at'])
    .where('org_id', '=', org)
    .where('webinar_id', '=', webinar)
    .where('audience', '=', 'webinar')
    .where('status', '=', 'scheduled')
    .where('webinar_offset_minutes', 'is not', null)
    .orderBy('send_at')
    .orderBy('id')
    .limit(mostBroadcasts)
    .execute();
  return rows.map(({ id, channel, subject, send_at }) => ({
    id: id as BroadcastId,
    channel: channel as 'email' | 'sms',
    subject,
    send_at: outgoing(send_at),
  }));
}
