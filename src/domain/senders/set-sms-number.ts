import { sql } from 'kysely';
import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';
import { readSmsStanding, SmsStanding } from './sms-number.ts';

export const setSmsNumber = defineOperation({
  name: 'set_sms_number',
  title: 'Set the SMS number',
  summary:
    'Set the one number the organization sends texts from, or take it away with null. Send the text `proof` to it, from any phone, to prove that it is yours; a test organization need not.',
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
    } else if ((await readSmsStanding(work)).number !== number) {
      const { rows } = await sql<{ taken: boolean }>`select gate.number_is_taken(${number}) as taken`.execute(
        work.db,
      );
      if (rows[0]!.taken)
        throw new Failure(
          'number_taken',
          'Another organization has proven that this number is its own. Take another.',
        );
      await work.db
        .insertInto('sms_numbers')
        .values({ org_id: work.org, number, created_at: work.now })
        .onConflict((conflict) =>
          conflict.column('org_id').doUpdateSet({ number, created_at: work.now, proven_at: null }),
        )
        .execute();
    }
    work.touched['org_id'] = work.org;
    return { sms: await readSmsStanding(work) };
  },
});
