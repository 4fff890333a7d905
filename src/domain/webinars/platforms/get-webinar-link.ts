import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { WebinarId } from '../../../kernel/ids.ts';
import { requireWebinar } from '../record/webinar.ts';
import { PlatformLink, readLink } from './link.ts';

export const getWebinarLink = defineOperation({
  name: 'get_webinar_link',
  title: "Get a webinar's platform link",
  summary:
    'Which event on a webinar platform a webinar is linked to, how many registrants it knows, and when attendance is ' +
    'read from it. Null for a webinar that is not linked.',
  permission: 'webinars.read',
  effect: 'read',
  faces: { rest: ['GET /v1/webinars/:webinar_id/platform'] },
  input: z.strictObject({ webinar_id: WebinarId }),
  output: z.object({ platform_link: PlatformLink.nullable() }),
  handle: async (work, { webinar_id }) => {
    await requireWebinar(work, webinar_id);
    return { platform_link: (await readLink(work, webinar_id)) ?? null };
  },
});
