import { z } from 'zod';
import type { Work } from '../../database/work.ts';
import type { Role } from '../../kernel/caller.ts';
import { InvitationId, UserId } from '../../kernel/ids.ts';
import { MomentOut } from '../../kernel/moment.ts';
import { MemberRole } from './member.ts';

export const Invitation = z
  .object({
    invitation_id: InvitationId,
    email: z.string().describe('Only an account with this address can accept it.'),
    role: MemberRole,
    invited_by: UserId,
    sent_at: MomentOut,
    ends_at: MomentOut,
  })
  .meta({ id: 'Invitation' });

/** Those that can still be accepted. By the service's clock, whatever a test organization's shows. */
export const openInvitations = ({ db, org, caller }: Work) =>
  db.selectFrom('invitations').where('org_id', '=', org).where('ends_at', '>', caller.now);

export interface InvitationRow {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly invited_by: string;
  readonly sent_at: Date;
  readonly ends_at: Date;
}

export const toInvitation = (row: InvitationRow): z.input<typeof Invitation> => ({
  invitation_id: row.id,
  email: row.email,
  role: row.role as Role,
  invited_by: row.invited_by,
  sent_at: row.sent_at.toISOString(),
  ends_at: row.ends_at.toISOString(),
});
