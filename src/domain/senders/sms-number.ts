import { z } from 'zod';
import type { Work } from '../../database/work.ts';

export const SmsStanding = z
  .object({
    available: z.boolean().describe('Texts can be sent: there is a number.'),
    number: z.string().nullable(),
  })
  .meta({ id: 'SmsStanding' });

export const toSmsStanding = (number: string | undefined): z.input<typeof SmsStanding> => ({
  available: number !== undefined,
  number: number ?? null,
});

/** The number texts come from, in E.164, if there is one. */
export async function readSmsNumber(work: Work): Promise<string | undefined> {
  const row = await work.db
    .selectFrom('sms_numbers')
    .select('number')
    .where('org_id', '=', work.org)
    .executeTakeFirst();
  return row?.number;
}
