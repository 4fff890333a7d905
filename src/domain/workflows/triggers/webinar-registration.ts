import { z } from 'zod';
import { WebinarId } from '../../../kernel/ids.ts';
import { requireWebinar } from '../../webinars/record/webinar.ts';
import { Next } from '../shape/node-fields.ts';
import type { TriggerType } from '../shape/trigger-type.ts';

const schema = z.strictObject({
  type: z.literal('webinar_registration'),
  webinar_id: WebinarId.nullable().default(null).describe('Only registrations for this one; null: for any.'),
  next: Next,
});

export const webinarRegistration: TriggerType<typeof schema> = {
  type: 'webinar_registration',
  label: 'Somebody registers for a webinar',
  fields: {
    webinar_id: { label: 'Only for', kind: 'webinar' },
    next: { label: 'First', kind: 'node' },
  },
  schema,
  hasWebinar: () => true,
  // An id in capitals is the same id.
  normalize: (trigger) => ({
    ...trigger,
    webinar_id: (trigger.webinar_id?.toLowerCase() ?? null) as WebinarId | null,
  }),
  requireReferences: async (work, { webinar_id }) => {
    if (webinar_id !== null) await requireWebinar(work, webinar_id);
  },
  problems: () => [],
  columns: ({ webinar_id }) => ({ trigger_webinar_id: webinar_id, trigger_event: null }),
};
