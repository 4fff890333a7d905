import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { WebinarId } from '../../../kernel/ids.ts';
import { requireAutomation } from '../record/require-automation.ts';
import { changeWebinar, holdRow, holdTime, refuseCanceled } from './move-time.ts';
import { webinarFields } from '../record/webinar-fields.ts';
import { toWebinarRecord, WebinarRecord } from '../record/webinar-record.ts';
import { requireWebinar } from '../record/webinar.ts';
import { countAnchored } from './waits-of.ts';

const elsewhere = 'Not changed here: reschedule_webinar (POST /v1/webinars/reschedule) moves a webinar.';

export const updateWebinar = defineOperation({
  name: 'update_webinar',
  title: 'Change a webinar',
  summary:
    'Change the fields sent; others stay. null clears timezone, duration_minutes, join_url, provider or automation_id. ' +
    'Its start is moved by reschedule_webinar. A new duration_minutes moves the workflow waits that are reckoned from ' +
    'its end. A canceled webinar stays as it is.',
  permission: 'webinars.write',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['PATCH /v1/webinars/:webinar_id'], tool: true },
  input: z
    .strictObject({
      webinar_id: WebinarId,
      title: webinarFields.title.optional(),
      timezone: webinarFields.timezone.nullable().optional(),
      duration_minutes: webinarFields.duration_minutes.nullable().optional(),
      join_url: webinarFields.join_url.nullable().optional(),
      provider: webinarFields.provider.nullable().optional(),
      automation_id: webinarFields.automation_id.nullable().optional(),
      status: webinarFields.status.optional(),
      start_time: z
        .unknown()
        .optional()
        .refine((sent) => sent === undefined, elsewhere)
        .describe(elsewhere),
    })
    .refine(
      (sent) => Object.values(sent).filter((value) => value !== undefined).length > 1,
      'Send at least one field to change.',
    ),
  output: z.object({
    webinar: WebinarRecord,
    recomputed: z.int().describe('Pending waits that moved because its end did.'),
  }),
  handle: async (work, { webinar_id, ...sent }) => {
    const { start_time: _never, ...changes } = sent;
    if (changes.automation_id !== undefined && changes.automation_id !== null)
      await requireAutomation(work, changes.automation_id);
    if (changes.duration_minutes === undefined) await requireWebinar(work, webinar_id);
    const before =
      changes.duration_minutes === undefined
        ? await holdRow(work, webinar_id)
        : await holdTime(work, webinar_id);
    refuseCanceled(before);
    const { after, moves } = await changeWebinar(work, before, changes);
    return {
      webinar: toWebinarRecord(after, work.now),
      recomputed: moves.end ? await countAnchored(work, webinar_id, 'end') : 0,
    };
  },
});
