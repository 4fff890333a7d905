import { z } from 'zod';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import { requirePerson } from '../../identifiers/require-person.ts';

export const OptOuts = z
  .object({ email_opt_out: z.boolean(), sms_opt_out: z.boolean() })
  .meta({ id: 'OptOuts' });

export const readOptOuts = async (work: Work, person: PersonId): Promise<z.infer<typeof OptOuts>> =>
  (await work.db
    .selectFrom('opt_outs')
    .select(['email_opt_out', 'sms_opt_out'])
    .where('org_id', '=', work.org)
    .where('person_id', '=', person)
    .executeTakeFirst()) ?? { email_opt_out: false, sms_opt_out: false };

/** Opts out a person who said so to a provider or us, outside of any call; `by`: the message whose link they used. */
export async function optOut(
  work: Work,
  person: PersonId,
  channel: 'email' | 'sms',
  by: number | null = null,
): Promise<void> {
  await requirePerson(work, person, 'lock');
  const said =
    channel === 'email' ? { email_opt_out: true, email_out_by: by } : { sms_opt_out: true, sms_out_by: by };
  await work.db
    .insertInto('opt_outs')
    .values({
      org_id: work.org,
      person_id: person,
      email_opt_out: false,
      sms_opt_out: false,
      ...said,
      updated_at: work.now,
    })
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'person_id']).doUpdateSet({ ...said, updated_at: work.now }),
    )
    .execute();
}

/** Undoes an opt-out that came by this message's own link, and no other. Returns whether it did. */
export async function optBackIn(
  work: Work,
  person: PersonId,
  channel: 'email' | 'sms',
  by: number,
): Promise<boolean> {
  await requirePerson(work, person, 'lock');
  const flag = channel === 'email' ? 'email_opt_out' : 'sms_opt_out';
  const saidBy = channel === 'email' ? 'email_out_by' : 'sms_out_by';
  const { numUpdatedRows } = await work.db
    .updateTable('opt_outs')
    .set({ [flag]: false, [saidBy]: null, updated_at: work.now })
    .where('org_id', '=', work.org)
    .where('person_id', '=', person)
    .where(flag, '=', true)
    .where(saidBy, '=', by)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
