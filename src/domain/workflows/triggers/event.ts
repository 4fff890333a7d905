import { z } from 'zod';
import { EventName } from '../../timeline/event.ts';
import { Next } from '../shape/node-fields.ts';
import type { TriggerType } from '../shape/trigger-type.ts';

const schema = z.strictObject({ type: z.literal('event'), event_name: EventName, next: Next });

/** The events whose runs have a webinar. Only the service writes them, each with its webinar's id. */
const webinarEvents: readonly string[] = [
  '$svc_webinar_registration',
  '$svc_webinar_attendance',
  '$svc_webinar_unregistration',
];

// A workflow that sends would trigger itself with every message it sends.
const ownEchoes: readonly string[] = ['$svc_email_sent', '$svc_text_sent'];

export const event: TriggerType<typeof schema> = {
  type: 'event',
  label: 'An event is recorded',
  fields: {
    event_name: { label: 'Event', kind: 'event' },
    next: { label: 'First', kind: 'node' },
  },
  schema,
  hasWebinar: ({ event_name }) => webinarEvents.includes(event_name),
  normalize: (trigger) => trigger,
  requireReferences: async () => undefined,
  problems: ({ event_name }) => {
    if (!ownEchoes.includes(event_name)) return [];
    const message = `${event_name} is recorded for what workflows send themselves: it would start over without end.`;
    return [{ pointer: '/event_name', code: 'starts_itself', message }];
  },
  columns: ({ event_name }) => ({ trigger_webinar_id: null, trigger_event: event_name }),
};
