import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { BlacklistEntryId, PersonId } from '../../../kernel/ids.ts';
import { requirePerson } from '../../identifiers/require-person.ts';
import { isPermanent } from './blacklist-entry.ts';

export const liftBlacklistEntry = defineOperation({
  name: 'lift_blacklist_entry',
  title: 'Lift a blacklist entry',
  summary:
    'Let email go to a blacklisted address again, with a reason that is kept in the audit log. Refused after a ' +
    "complaint. The person's own opt-outs stay as they are.",
  permission: 'people.write',
  effect: 'destroy',
  faces: { rest: ['POST /v1/blacklist/:blacklist_entry_id/lift'] },
  input: z.strictObject({
    blacklist_entry_id: BlacklistEntryId,
    reason: z.string().trim().min(1).max(200).describe('Why it is safe now. Leave names and addresses out.'),
  }),
  output: z.object({ lifted: z.literal(true), blacklist_entry_id: BlacklistEntryId, person_id: PersonId }),
  handle: async (work, { blacklist_entry_id, reason }) => {
    const { person_id } = await readEntry(work, blacklist_entry_id);
    // Locks the person, as every suppression does, and reads again: a complaint may have come meanwhile.
    await requirePerson(work, person_id, 'lock');
    const entry = await readEntry(work, blacklist_entry_id);
    if (isPermanent(entry.reason)) {
      throw new Failure(
        'complaint_stands',
        'The holder of this address called a message spam, so nothing more goes to it. If they want to hear from you ' +
          'again, ask them for another address.',
      );
    }
    await work.db
      .deleteFrom('email_blacklist')
      .where('org_id', '=', work.org)
      .where('id', '=', blacklist_entry_id)
      .execute();
    Object.assign(work.touched, { person_id, blacklist_entry_id });
    work.reason = reason;
    return { lifted: true as const, blacklist_entry_id, person_id };
  },
});

async function readEntry(
  { db, org }: Work,
  id: BlacklistEntryId,
): Promise<{ person_id: PersonId; reason: string }> {
  const found = await db
    .selectFrom('email_blacklist')
    .select(['person_id', 'reason'])
    .where('org_id', '=', org)
    .where('id', '=', id)
    .executeTakeFirst();
  if (found === undefined)
    throw new Failure('not_found', 'No blacklist entry with this id exists in this organization.');
  return found as { person_id: PersonId; reason: string };
}
