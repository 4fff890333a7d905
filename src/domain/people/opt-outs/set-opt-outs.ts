import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { PersonId } from '../../../kernel/ids.ts';
import { requirePerson } from '../../identifiers/require-person.ts';
import { forgetSuppression } from '../../identifiers/suppressed-address.ts';
import { OptOuts, readOptOuts } from './opt-outs.ts';

export const setOptOuts = defineOperation({
  name: 'set_opt_outs',
  title: 'Set opt-outs',
  summary:
    'Opt a person out of marketing email or texts, or back in. The one left out keeps its value. Opt somebody back in ' +
    'only when they asked for it.',
  permission: 'people.write',
  effect: 'change',
  evenSuspended: true, // nobody who opts out may be lost
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
    if (email_opt_out === false) await forgetSuppression(work, [person_id], 'email');
    if (sms_opt_out === false) await forgetSuppression(work, [person_id], 'sms');
    work.touched['person_id'] = person_id;
    return { opt_outs: wanted };
  },
});
