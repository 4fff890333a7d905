import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { WebinarId } from '../../../kernel/ids.ts';
import { changeWebinar, holdTime } from './move-time.ts';
import { toWebinarRecord, WebinarRecord } from '../record/webinar-record.ts';
import { countWaiting } from './waits-of.ts';

export const cancelWebinar = defineOperation({
  name: 'cancel_webinar',
  title: 'Cancel a webinar',
  summary:
    'Cancel a webinar for good. Its workflow runs end where they stand and send nothing more, also not what was about ' +
    'to go out; scheduled broadcasts to its registrants will not begin. Nobody is told: send a message first if they ' +
    'should be. It can still be read; nobody can register any more.',
  permission: 'webinars.write',
  effect: 'destroy',
  repeatable: true,
  faces: { rest: ['POST /v1/webinars/:webinar_id/cancel'], tool: true },
  input: z.strictObject({ webinar_id: WebinarId }),
  output: z.object({
    webinar: WebinarRecord,
    ending: z.int().describe('How many runs were still under way; they end within moments.'),
  }),
  handle: async (work, { webinar_id }) => {
    const before = await holdTime(work, webinar_id);
    // Touches no run: the clock rings, and the release of a canceled webinar's waits ends their runs.
    const { after } =
      before.status === 'canceled'
        ? { after: before }
        : await changeWebinar(work, before, { status: 'canceled', canceled_at: work.now });
    return { webinar: toWebinarRecord(after, work.now), ending: await countWaiting(work, webinar_id) };
  },
});
