import { z } from 'zod';
import { defineOperation, type Work } from '../../database/work.ts';
import { PersonId } from '../../kernel/ids.ts';
import { requirePerson } from '../identifiers/require-person.ts';
import { forgetSuppression } from '../identifiers/suppressed-address.ts';

const OptOuts = z.object({ email_opt_out: z.boolean(), sms_opt_out: z.boolean() }).meta({ id: 'OptOuts' });

export const getOptOuts = defineOperation({
  name: 'get_opt_outs',
  title: 'Read opt-outs',
  summary: 'Whether a person opted out of marketing email and texts. Without a record both are false.',
  permission: 'people.read',
  effect: 'read',
  faces: { rest: ['GET /v1/people/:person_id/opt-outs'], tool: true },
  input: z.strictObject({ person_id: PersonId }),
  output: z.object({ opt_outs: OptOuts }),
  handle: async (work, { person_id }) => {
    await requirePerson(work, person_id);
    return { opt_outs: await readOptOuts(work, person_id) };
  },
});

export const setOptOuts = defineOperation({
  name: 'set_opt_outs',
  title: 'Set opt-outs',
  summary:
    'Opt a person out of marketing email or texts, or back in. The one left out keeps its value. Opt somebody back in ' +
    'only when they asked for it.',
  permission: 'people.write',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['PATCH /v1/people/:person_id/opt-outs', 'PUT /v1/people/:person_id/opt-outs'], tool: true },
  input: z
    .strictObject({
      person_id: PersonId,
      email_opt_out: z.boolean().optional(),
      sms_opt_out: z.boolean().optional(),
    })
    .refine(
      ({ email_opt_out, sms_opt_out }) => (email_opt_out ?? sms_opt_out) !== undefined,
      'Send email_opt_out, sms_opt_out or both.',
    ),
  output: z.object({ opt_outs: OptOuts }),
  handle: async (work, { person_id, email_opt_out, sms_opt_out }) => {
    await requirePerson(work, person_id, 'lock');
    const before = await readOptOuts(work, person_id);
    const wanted = {
      email_opt_out: email_opt_out ?? before.email_opt_out,
      sms_opt_out: sms_opt_out ?? before.sms_opt_out,
    };
    const written = {
      ...wanted,
      ...(email_opt_out !== undefined && { email_out_by: null }),
      ...(sms_opt_out !== undefined && { sms_out_by: null }),
      updated_at: work.now,
    };
    await work.db
      .insertInto('opt_outs')
      .values({ org_id: work.org, person_id, ...written })
      .onConflict((conflict) => conflict.columns(['org_id', 'person_id']).doUpdateSet(written))
      .execute();
    if (email_opt_out === false) await forgetSuppression(work, person_id, 'email');
    if (sms_opt_out === false) await forgetSuppression(work, person_id, 'sms');
    work.touched['person_id'] = person_id;
    return { opt_outs: wanted };
  },
});

const readOptOuts = async (work: Work, person: PersonId): Promise<z.infer<typeof OptOuts>> =>
  (await work.db
    .selectFrom('opt_outs')
    .select(['email_opt_out', 'sms_opt_out'])
    .where('org_id', '=', work.org)
    .where('person_id', '=', person)
    .executeTakeFirst()) ?? { email_opt_out: false, sms_opt_out: false };

/** Somebody said so to a provider, or to us, outside of any call; by a message's own link, if it is given. */
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

/** Undoes what somebody said by a message's own link, and nothing that anybody else said. Answers whether it did. */
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
