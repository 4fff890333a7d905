import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { WebinarId } from '../../../kernel/ids.ts';
import { changeWebinar, holdTime, refuseCanceled } from './move-time.ts';
import { StartTime } from '../record/webinar-fields.ts';
import { countAnchored } from './waits-of.ts';

export const rescheduleWebinar = defineOperation({
  name: 'reschedule_webinar',
  title: 'Reschedule a webinar',
  summary:
    'Move a webinar to another start time. Every workflow wait that is reckoned from its start or end moves with it, ' +
    'whoever is in it; recomputed says how many. One whose new moment has passed already is released at once, or ' +
    'skipped where the workflow says so: preview_reschedule tells beforehand. Scheduled broadcasts keep their send time.',
  permission: 'webinars.write',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['POST /v1/webinars/reschedule'], tool: true },
  input: z.strictObject({
    webinar_id: WebinarId,
    start_time: StartTime.describe('ISO 8601 with an offset or Z.'),
  }),
  output: z.object({
    recomputed: z
      .int()
      .describe('Pending waits that now go by this time; when it was the same before, they did already.'),
  }),
  handle: async (work, { webinar_id, start_time }) => {
    const webinar = await holdTime(work, webinar_id);
    refuseCanceled(webinar);
    await changeWebinar(work, webinar, { start_time });
    return { recomputed: await countAnchored(work, webinar_id) };
  },
});
