import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { EmailBlacklist } from '../../../database/tables.generated.ts';
import { BlacklistEntryId, PersonId } from '../../../kernel/ids.ts';
import { MomentOut } from '../../../kernel/moment.ts';

export const BlacklistReason = z.enum(['bounced', 'complained', 'blacklisted']);

/** An address of a person to which no email is sent. */
export const BlacklistEntry = z
  .object({
    id: BlacklistEntryId,
    person_id: PersonId,
    email: z.string(),
    reason: BlacklistReason,
    created_at: MomentOut,
    can_be_lifted: z.boolean().describe('False after a complaint, which stands for good.'),
  })
  .meta({ id: 'BlacklistEntry' });

/** A spam complaint blocks its address for good. */
export const isPermanent = (reason: string): boolean => reason === 'complained';

export const toBlacklistEntry = (row: Selectable<EmailBlacklist>): z.input<typeof BlacklistEntry> => ({
  id: row.id as BlacklistEntryId,
  person_id: row.person_id as PersonId,
  email: row.email,
  reason: row.reason as z.infer<typeof BlacklistReason>,
  created_at: row.created_at.toISOString(),
  can_be_lifted: !isPermanent(row.reason),
});
