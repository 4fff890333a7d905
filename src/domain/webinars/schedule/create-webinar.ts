import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { newId, type WebinarId } from '../../../kernel/ids.ts';
import { requireAutomation } from '../record/require-automation.ts';
import { StartTime, webinarFields } from '../record/webinar-fields.ts';
import { recordColumns, toWebinarRecord, WebinarRecord } from '../record/webinar-record.ts';

const { title, timezone, duration_minutes, join_url, provider, status, automation_id } = webinarFields;

export const createWebinar = defineOperation({
  name: 'create_webinar',
  title: 'Create a webinar',
  summary:
    'Create a webinar that people can be registered for. Nothing is sent by it. Its time is changed with ' +
    'reschedule_webinar, which moves the reminders along.',
  permission: 'webinars.write',
  effect: 'add',
  creates: true,
  faces: { rest: ['POST /v1/webinars'], tool: true },
  input: z.strictObject({
    webinar: z.strictObject({
      title,
      start_time: StartTime.describe('ISO 8601 with an offset or Z.'),
      timezone: timezone.optional(),
      duration_minutes: duration_minutes.optional(),
      join_url: join_url.optional(),
      provider: provider.optional(),
      status: status.default('scheduled'),
      automation_id: automation_id.optional(),
    }),
  }),
  output: z.object({ webinar: WebinarRecord }),
  handle: async (work, { webinar }) => {
    if (webinar.automation_id !== undefined) await requireAutomation(work, webinar.automation_id);
    const id = newId<WebinarId>(work.now);
    const row = await work.db
      .insertInto('webinars')
      .values({ org_id: work.org, id, ...webinar, created_at: work.now, updated_at: work.now })
      .returning(recordColumns)
      .executeTakeFirstOrThrow();
    work.touched['webinar_id'] = id;
    return { webinar: toWebinarRecord(row, work.now) };
  },
});
