import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { Country, HistoryMonths, isZone, readSettings, Settings } from './settings.ts';
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
    timezone: z
      .string()
      .max(100)
      .refine(isZone, 'Must be an IANA zone name such as Europe/Paris.')
      .optional(),
    two_key_sending: z.boolean().optional(),
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
  handle: async (work, { timezone, two_key_sending, default_country, test_recipients, history_months }) => {
    const changed = {
      ...(timezone !== undefined && { timezone }),
      ...(two_key_sending !== undefined && { two_key_sending }),
      ...(default_country !== undefined && { default_country }),
      ...(test_recipients !== undefined && { test_recipients: acceptTestRecipients(work, test_recipients) }),
      ...(history_months !== undefined && { history_months }),
    };
    if (Object.keys(changed).length > 0) {
      await work.db.updateTable('organizations').set(changed).where('id', '=', work.org).execute();
      work.touched['org_id'] = work.org;
    }
    return { settings: await readSettings(work) };
  },
});
