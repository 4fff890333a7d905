import { isSupportedCountry } from 'libphonenumber-js/min';
import { z } from 'zod';
import { defineOperation, type Work } from '../../database/work.ts';
import { limits } from '../../kernel/limits.ts';
import { acceptTestRecipients, TestRecipients } from './test-recipients.ts';

/** ISO 3166-1 alpha-2. */
const Country = z
  .string()
  .refine((code): boolean => isSupportedCountry(code), 'Must be the two letters of a country, such as US.');

const Settings = z
  .object({
    timezone: z.string().describe('The IANA zone that dates in messages are written in.'),
    two_key_sending: z
      .boolean()
      .describe('Whether a broadcast must be scheduled by another credential than planned it.'),
    default_country: Country.nullable().describe(
      'Where phone numbers without a country are dialed; null: only numbers that begin with + are understood.',
    ),
    test_recipients: TestRecipients,
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

export const getSettings = defineOperation({
  name: 'get_settings',
  title: 'Read the settings',
  summary:
    'How this organization writes dates and dials numbers, whether sending takes two credentials, and whom a test organization ' +
    'really writes to.',
  permission: 'settings.read',
  effect: 'read',
  faces: { rest: ['GET /v1/settings'] },
  input: z.strictObject({}),
  output: z.object({ settings: Settings }),
  handle: async (work) => ({ settings: await readSettings(work) }),
});

export const updateSettings = defineOperation({
  name: 'update_settings',
  title: 'Change the settings',
  summary: 'Change the settings that are sent; the others stay.',
  permission: 'settings.write',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['PATCH /v1/settings'] },
  input: z.strictObject({
    timezone: z
      .string()
      .max(100)
      .refine(isZone, 'Must be an IANA zone name such as Europe/Paris.')
      .optional(),
    two_key_sending: z.boolean().optional(),
    default_country: Country.nullable().optional().describe('Two letters, such as US; null for none.'),
    test_recipients: TestRecipients.optional(),
  }),
  output: z.object({ settings: Settings }),
  handle: async (work, { timezone, two_key_sending, default_country, test_recipients }) => {
    const changed = {
      ...(timezone !== undefined && { timezone }),
      ...(two_key_sending !== undefined && { two_key_sending }),
      ...(default_country !== undefined && { default_country }),
      ...(test_recipients !== undefined && { test_recipients: acceptTestRecipients(work, test_recipients) }),
    };
    if (Object.keys(changed).length > 0) {
      await work.db.updateTable('organizations').set(changed).where('id', '=', work.org).execute();
      work.touched['org_id'] = work.org;
    }
    return { settings: await readSettings(work) };
  },
});

export const readSettings = async (work: Work): Promise<z.infer<typeof Settings>> => ({
  ...(await work.db
    .selectFrom('organizations')
    .select(['timezone', 'two_key_sending', 'default_country', 'test_recipients'])
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
