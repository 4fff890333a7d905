import { z } from 'zod';
import { outcomes, reasons } from './outcome.ts';
import type { moments } from './recipient.ts';

/** What a recipient did, or what came back, each with the moment of the ledger that tells it. */
export const happened = {
  opened: 'opened_at',
  clicked: 'clicked_at',
  replied: 'replied_at',
  bounced: 'bounced_at',
  complained: 'complained_at',
  unsubscribed: 'unsubscribed_at',
} as const satisfies Readonly<Record<string, (typeof moments)[number]>>;

const Happened = z.boolean().optional();

/** By what recipients of a broadcast are listed and exported. All that are sent must hold. */
export const recipientFilters = {
  outcome: z.enum(outcomes).optional(),
  reason: z.enum(reasons).optional().describe('Why they were skipped, or it failed, or nobody knows.'),
  opened: Happened.describe('Only those who opened it, or did not; machines are not counted.'),
  clicked: Happened.describe('Only those who followed a link in it, or did not.'),
  replied: Happened.describe('Only those who answered it, or did not.'),
  bounced: Happened.describe('Only those from whom it came back, or did not.'),
  complained: Happened.describe('Only those who reported it as spam, or did not.'),
  unsubscribed: Happened.describe('Only those who unsubscribed by it, or did not.'),
  link: z
    .string()
    .min(1)
    .max(8_192)
    .optional()
    .describe('Only those who followed this link: its url or placeholder, as in the stats. Stands alone.'),
} as const;

export const filterNames = Object.keys(recipientFilters) as (keyof typeof recipientFilters)[];

const Asked = z.object(recipientFilters);
export type Asked = z.output<typeof Asked> & { readonly broadcast_id: string };

/** Those who followed a link are found by the link alone. */
export const linkStandsAlone = (asked: Readonly<Record<string, unknown>>): boolean =>
  asked['link'] === undefined || filterNames.every((name) => name === 'link' || asked[name] === undefined);
export const linkStandsAloneWords = {
  path: ['link'],
  error: 'link stands alone: leave out the other filters, or link.',
};
