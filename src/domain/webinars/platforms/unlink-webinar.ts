import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { WebinarId } from '../../../kernel/ids.ts';
import { requireWebinar } from '../record/webinar.ts';
import { notLinked } from './link.ts';
import { forgetPending } from './request-push.ts';

export const unlinkWebinar = defineOperation({
  name: 'unlink_webinar',
  title: 'Unlink a webinar from its platform',
  summary:
    'Take a webinar off its event on a platform. Registrants are not pushed and attendance is not read from there any ' +
    'more; the join links and the attendance there are stay.',
  permission: 'webinars.write',
  effect: 'destroy',
  faces: { rest: ['DELETE /v1/webinars/:webinar_id/platform'] },
  input: z.strictObject({ webinar_id: WebinarId }),
  output: z.object({ deleted: z.literal(true), webinar_id: WebinarId }),
  handle: async (work, { webinar_id }) => {
    const { db, org } = work;
    await requireWebinar(work, webinar_id);
    const { numDeletedRows } = await db
      .deleteFrom('platform_links')
      .where('org_id', '=', org)
      .where('webinar_id', '=', webinar_id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw notLinked();
    await forgetPending(work, webinar_id);
    work.touched['webinar_id'] = webinar_id;
    return { deleted: true as const, webinar_id };
  },
});
