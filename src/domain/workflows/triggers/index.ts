import { z } from 'zod';
import type { AnyTriggerType, TriggerTypes } from '../shape/trigger-type.ts';
import { event } from './event.ts';
import { webinarRegistration } from './webinar-registration.ts';

/** Never rename these: drafts, published versions and `trigger_kind` store them. */
type TriggerName = 'webinar_registration' | 'event';

export const triggerTypes = {
  webinar_registration: webinarRegistration,
  event,
} satisfies TriggerTypes<TriggerName>;

type Schema = (typeof triggerTypes)[TriggerName]['schema'];

export const Trigger = z.discriminatedUnion(
  'type',
  Object.values(triggerTypes).map(({ schema }) => schema) as [Schema, ...Schema[]],
);
export type Trigger = z.output<Schema>;

export const triggerTypeOf = ({ type }: Trigger): AnyTriggerType => triggerTypes[type];

export const hasWebinar = ({ trigger }: { readonly trigger: Trigger }): boolean =>
  triggerTypeOf(trigger).hasWebinar(trigger);
