import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { UserId } from '../../kernel/ids.ts';
import { endMembership, holdMembers, lastOwner, refuseAbove } from './hold-members.ts';

export const removeMember = defineOperation({
  name: 'remove_member',
  title: 'Remove a member',
  summary:
    'Take a user out of this organization. A second later no session and no tool connection of theirs acts in it.',
  permission: 'settings.write',
  power: 'manage_access',
  effect: 'destroy',
  evenSuspended: true,
  faces: { rest: ['DELETE /v1/members/:user_id'] },
  input: z.strictObject({ user_id: UserId }),
  output: z.object({ removed: z.literal(true), user_id: UserId }),
  handle: async (work, { user_id }) => {
    const { own, member, isLastOwner } = await holdMembers(work, user_id);
    refuseAbove(own, member.role);
    if (isLastOwner) throw lastOwner();
    await endMembership(work, member.id);
    return { removed: true as const, user_id };
  },
});
