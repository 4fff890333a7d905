import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import {
  Country,
  HistoryMonths,
  HoldPercent,
  isZone,
  OrganizationName,
  readSettings,
  Settings,
} from './settings.ts';
import { acceptTestRecipients, TestRecipients } from './test-recipients.ts';

export const updateSettings = defineOperation({
  name: 'update_settings',
  title: 'Change the settings',
  summary: 'Change the settings that are sent; the others stay.',
  permission: 'settings.write',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['PATCH /v1/settings'] },
  input: z.strictObject({
    name: OrganizationName.optional(),
    timezone: z
      .string()
      .max(100)
      .refine(isZone, 'Must be an IANA zone name such as Europe/Paris.')
      .optional(),
    two_key_sending: z.boolean().optional(),
    hold_if_audience_changes_by: HoldPercent.nullable()
      .optional()
      .describe('For broadcasts that are made from now on; null: none is held.'),
    default_country: Country.nullable().optional().describe('Two letters, such as US; null for none.'),
    test_recipients: TestRecipients.optional(),
    history_months: HistoryMonths.nullable()
      .optional()
      .describe(
        'Older single opens and clicks, messages and events of people are deleted for good; totals and opt-outs stay. The ' +
          'installation sets the least and the most. null: as long as it keeps them.',
      ),
  }),
  output: z.object({ settings: Settings }),
  handle: async (work, { test_recipients, ...others }) => {
    const changed = {
      ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)),
      ...(test_recipients !== undefined && { test_recipients: acceptTestRecipients(work, test_recipients) }),
    };
    if (Object.keys(changed).length > 0) {
      await work.db.updateTable('organizations').set(changed).where('id', '=', work.org).execute();
      work.touched['org_id'] = work.org;
    }
    return { settings: await readSettings(work) };
  },
});
