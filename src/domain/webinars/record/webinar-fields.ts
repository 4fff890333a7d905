import { z } from 'zod';
import { WorkflowId } from '../../../kernel/ids.ts';
import { Moment } from '../../../kernel/moment.ts';
import { isZone } from '../../orgs/settings.ts';
import { isWebLink, wrongWithLink } from '../../../kernel/link.ts';

/** The statuses that callers may set; only cancel_webinar sets `canceled`. */
const givenStatuses = ['draft', 'scheduled'] as const;

const earliest = Date.UTC(1970, 0, 1);
const latest = Date.UTC(3000, 0, 1);

/** When a webinar starts, in years that have four digits on the wire with any offset. */
export const StartTime = Moment.refine(
  (moment) => moment.getTime() >= earliest && moment.getTime() < latest,
  'Must be a moment between the years 1970 and 2999.',
);

/** The link is stored as sent; browsers read a blank in it as %20. */
const leadsSomewhere = (link: string): boolean =>
  isWebLink(link) && wrongWithLink(link.replaceAll(' ', '%20')) === undefined;

/** A webinar's fields besides its time, as callers write them. */
export const webinarFields = {
  title: z.string().max(500).regex(/\S/, 'Must not be blank.'),
  timezone: z
    .string()
    .max(100)
    .refine(isZone, 'Must be an IANA zone name such as Europe/Paris.')
    .describe('IANA zone name: messages show the time in it.'),
  duration_minutes: z.number().gt(0).max(100_000).describe('How long it is.'),
  join_url: z
    .string()
    .max(2_000)
    .refine((link) => link === '' || leadsSomewhere(link), {
      error: 'Must be a whole address such as https://example.com/join, or empty.',
    })
    .describe('The link attendees use, from https:// on.'),
  provider: z.string().max(500).describe('Which platform it is on; any text.'),
  automation_id: WorkflowId.describe('The workflow associated with it.'),
  status: z.enum(givenStatuses),
};
