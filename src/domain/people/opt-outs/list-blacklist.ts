import { sql } from 'kysely';
import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { PersonId } from '../../../kernel/ids.ts';
import { pageInput, pageOutput } from '../../../kernel/page.ts';
import { EmailAddress } from '../../identifiers/identifier.ts';
import { requirePerson } from '../../identifiers/require-person.ts';
import { BlacklistEntry, BlacklistReason, toBlacklistEntry } from './blacklist-entry.ts';

export const listBlacklist = defineOperation({
  name: 'list_blacklist',
  title: 'List the email blacklist',
  summary:
    'Addresses that no email goes to because they bounced, their holder complained, or they were blacklisted; newest ' +
    "first. A person's own opt-outs are not among them: see get_opt_outs.",
  permission: 'people.read',
  effect: 'read',
  faces: { rest: ['GET /v1/blacklist'] },
  input: z.strictObject({
    person_id: PersonId.optional(),
    email: EmailAddress.optional(),
    reason: BlacklistReason.optional(),
    ...pageInput,
  }),
  output: z.object({ entries: z.array(BlacklistEntry), ...pageOutput }),
  handle: async (work, { person_id, email, reason, limit, offset }) => {
    if (person_id !== undefined) await requirePerson(work, person_id);
    let entries = work.db.selectFrom('email_blacklist').where('org_id', '=', work.org);
    if (person_id !== undefined) entries = entries.where('person_id', '=', person_id);
    if (email !== undefined) entries = entries.where('email', '=', email);
    if (reason !== undefined) entries = entries.where('reason', '=', reason);
    const { total } = await entries.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
    // Ids are in order of time, and the primary key is by id.
    const rows = await entries.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
    return { entries: rows.map(toBlacklistEntry), total, limit, offset };
  },
});
