import { isSupportedCountry } from 'libphonenumber-js/min';
import { z } from 'zod';
import type { Work } from '../../database/work.ts';
import { limits } from '../../kernel/limits.ts';
import { TestRecipients } from './test-recipients.ts';

/** ISO 3166-1 alpha-2. */
export const Country = z
  .string()
  .refine((code): boolean => isSupportedCountry(code), 'Must be the two letters of a country, such as US.');

export const OrganizationName = z.string().trim().min(1).max(200);

export const HistoryMonths = z.int().min(1).max(1_200);

/** By how many percent an audience may differ from the planned one before its broadcast is held. */
export const HoldPercent = z.int().min(1).max(100);

export const Settings = z
  .object({
    name: OrganizationName.describe('What members know the organization by.'),
    timezone: z.string().describe('The IANA zone that dates in messages are written in.'),
    two_key_sending: z
      .boolean()
      .describe('Whether a broadcast must be scheduled by another credential than planned it.'),
    hold_if_audience_changes_by: HoldPercent.nullable().describe(
      'What new broadcasts are made with: by how many percent the audience may have changed at the moment of sending; ' +
        'null: by any.',
    ),
    default_country: Country.nullable().describe(
      'Where phone numbers without a country are dialed; null: only numbers that begin with + are understood.',
    ),
    test_recipients: TestRecipients,
    history_months: HistoryMonths.nullable().describe(
      'Whole months of messages and events that are kept beside the current one; null: as long as the installation keeps them.',
    ),
    limits: z
      .object({
        property_configs: z.int().describe('How many an organization may have.'),
        values_of_in: z.int().describe('How many values a condition with in may have.'),
        identifiers_of_person: z
          .int()
          .describe('How many a person may get; merged people keep all of theirs.'),
      })
      .describe('The same for every organization; they cannot be changed.'),
  })
  .meta({ id: 'Settings' });

export const readSettings = async (work: Work): Promise<z.infer<typeof Settings>> => ({
  ...(await work.db
    .selectFrom('organizations')
    .select([
      'name',
      'timezone',
      'two_key_sending',
      'hold_if_audience_changes_by',
      'default_country',
      'test_recipients',
      'history_months',
    ])
    .where('id', '=', work.org)
    .executeTakeFirstOrThrow()),
  limits,
});

export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name); // offsets such as +02:00 have no summer
  } catch {
    return false;
  }
}
