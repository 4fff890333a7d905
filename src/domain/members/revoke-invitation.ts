import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import type { Role } from '../../kernel/caller.ts';
import { Failure } from '../../kernel/failure.ts';
import { InvitationId } from '../../kernel/ids.ts';
import { requireManager, refuseAbove } from './hold-members.ts';
import { openInvitations } from './invitation.ts';

export const revokeInvitation = defineOperation({
  name: 'revoke_invitation',
  title: 'Take an invitation back',
  summary: 'End an invitation that was not accepted yet. Its link leads nowhere from then on.',
  permission: 'settings.write',
  power: 'manage_access',
  effect: 'destroy',
  evenSuspended: true,
  faces: { rest: ['DELETE /v1/invitations/:invitation_id'] },
  input: z.strictObject({ invitation_id: InvitationId }),
  output: z.object({ revoked: z.literal(true), invitation_id: InvitationId }),
  handle: async (work, { invitation_id }) => {
    const own = await requireManager(work);
    const held = await openInvitations(work)
      .select('role')
      .where('id', '=', invitation_id)
      .forUpdate()
      .executeTakeFirst();
    if (held === undefined) throw new Failure('not_found', 'There is no such invitation.');
    refuseAbove(own, held.role as Role);
    await work.db
      .updateTable('invitations')
      // Not now: another call may have begun before this one and still be on its way.
      .set((row) => ({ ends_at: row.ref('sent_at') }))
      .where('org_id', '=', work.org)
      .where('id', '=', invitation_id)
      .execute();
    work.touched['invitation_id'] = invitation_id;
    return { revoked: true as const, invitation_id };
  },
});
