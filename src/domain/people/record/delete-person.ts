import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { PersonId } from '../../../kernel/ids.ts';
import { requirePerson } from '../../identifiers/require-person.ts';
import { rememberSuppression } from '../../identifiers/suppressed-address.ts';
import { forgetAnswersAbout } from '../../orgs/idempotent-answer.ts';
import { detachDeliveries } from '../merge/detach-deliveries.ts';

export const deletePerson = defineOperation({
  name: 'delete_person',
  title: 'Delete a person',
  summary:
    'Delete a person and their history for good; it cannot be undone. Refused while the person is opted out or ' +
    'blacklisted, and while tasks or connection invites point at them. Ask the user before calling it.',
  permission: 'people.delete',
  effect: 'destroy',
  faces: { rest: ['DELETE /v1/people/:person_id'], tool: true },
  input: z.strictObject({
    person_id: PersonId,
    reason: z.string().max(200).optional().describe('Kept with the deletion. Leave names and addresses out.'),
    drop_suppression: z
      .boolean()
      .default(false)
      .describe('Delete although the person is suppressed. A keyed hash of each suppressed address is kept.'),
  }),
  guarded: { drop_suppression: 'drop_suppression' },
  output: z.object({ deleted: z.literal(true), person_id: PersonId }),
  handle: async (work, { person_id, reason, drop_suppression }) => {
    await requirePerson(work, person_id, 'lock');
    await refuseIfReferenced(work, person_id);
    if (await isSuppressed(work, person_id)) {
      if (!drop_suppression) {
        throw new Failure(
          'suppressed',
          'The person is opted out or blacklisted, and deleting would forget that. To do it all the same, an API key ' +
            'may call DELETE /v1/people/{person_id}?drop_suppression=true.',
        );
      }
      await rememberSuppression(work, person_id);
    }
    await detachDeliveries(work, person_id);
    await forgetAnswersAbout(work, person_id);
    // Foreign keys delete everything else of the person; purchases and sent messages stay, detached.
    await work.db.deleteFrom('people').where('org_id', '=', work.org).where('id', '=', person_id).execute();
    work.touched['person_id'] = person_id;
    if (reason !== undefined) work.reason = reason;
    return { deleted: true as const, person_id };
  },
});

async function isSuppressed({ db, org }: Work, person: PersonId): Promise<boolean> {
  const optOut = await db
    .selectFrom('opt_outs')
    .select('person_id')
    .where('org_id', '=', org)
    .where('person_id', '=', person)
    .where((eb) => eb.or([eb('email_opt_out', '=', true), eb('sms_opt_out', '=', true)]))
    .executeTakeFirst();
  if (optOut !== undefined) return true;
  const blacklisted = await db
    .selectFrom('email_blacklist')
    .select('id')
    .where('org_id', '=', org)
    .where('person_id', '=', person)
    .limit(1)
    .executeTakeFirst();
  return blacklisted !== undefined;
}

async function refuseIfReferenced({ db, org }: Work, person: PersonId): Promise<void> {
  for (const [table, noun] of [
    ['tasks', 'A task'],
    ['connection_invites', 'A connection invite'],
  ] as const) {
    const found = await db
      .selectFrom(table)
      .select('id')
      .where('org_id', '=', org)
      .where('person_id', '=', person)
      .limit(1)
      .executeTakeFirst();
    if (found !== undefined) {
      throw new Failure(
        'still_referenced',
        `${noun} still points at this person; remove or reassign it first.`,
      );
    }
  }
}
