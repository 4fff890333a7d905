import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { Invitation, openInvitations, toInvitation } from './invitation.ts';

export const listInvitations = defineOperation({
  name: 'list_invitations',
  title: 'List invitations',
  summary: 'The invitations to this organization that can still be accepted, by address.',
  permission: 'settings.read',
  effect: 'read',
  faces: { rest: ['GET /v1/invitations'] },
  input: z.strictObject({}),
  output: z.object({ invitations: z.array(Invitation) }),
  handle: async (work) => {
    const rows = await openInvitations(work)
      .select(['id', 'email', 'role', 'invited_by', 'sent_at', 'ends_at'])
      .orderBy('email')
      .execute();
    return { invitations: rows.map(toInvitation) };
  },
});
