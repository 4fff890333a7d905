import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { SmsStanding, toSmsStanding } from './sms-number.ts';

export const setSmsNumber = defineOperation({
  name: 'set_sms_number',
  title: 'Set the SMS number',
  summary: 'Set the one number the organization sends texts from, or take it away with null.',
  permission: 'settings.write',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['PUT /v1/sms-number'] },
  input: z.strictObject({
    number: z
      .string()
      .trim()
      .regex(/^\+[1-9]\d{6,14}$/, 'Must be in E.164: + and 7 to 15 digits, as in +15550001111.')
      .nullable(),
  }),
  output: z.object({ sms: SmsStanding }),
  handle: async (work, { number }) => {
    if (number === null) {
      await work.db.deleteFrom('sms_numbers').where('org_id', '=', work.org).execute();
    } else {
      await work.db
        .insertInto('sms_numbers')
        .values({ org_id: work.org, number, created_at: work.now })
        .onConflict((conflict) => conflict.column('org_id').doUpdateSet({ number, created_at: work.now }))
        .execute();
    }
    work.touched['org_id'] = work.org;
    return { sms: toSmsStanding(number ?? undefined) };
  },
});
