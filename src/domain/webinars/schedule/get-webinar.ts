import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { WebinarId } from '../../../kernel/ids.ts';
import { readWebinarRecord, WebinarRecord } from '../record/webinar-record.ts';

export const getWebinar = defineOperation({
  name: 'get_webinar',
  title: 'Get a webinar',
  summary: 'One webinar: what it is called, when and where it is, and whether it has begun.',
  permission: 'webinars.read',
  effect: 'read',
  faces: { rest: ['GET /v1/webinars/:webinar_id'], tool: true },
  input: z.strictObject({ webinar_id: WebinarId }),
  output: z.object({ webinar: WebinarRecord }),
  handle: async (work, { webinar_id }) => ({ webinar: await readWebinarRecord(work, webinar_id) }),
});
