import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { endMembership, holdMembers, lastOwner } from './hold-members.ts';

export const leaveOrganization = defineOperation({
  name: 'leave_organization',
  title: 'Leave the organization',
  summary: 'Take yourself out of this organization. Its only owner cannot.',
  power: 'leave',
  effect: 'destroy',
  evenSuspended: true,
  faces: { rest: ['POST /v1/me/leave'] },
  input: z.strictObject({}),
  output: z.object({ left: z.literal(true) }),
  handle: async (work) => {
    const { member, isLastOwner } = await holdMembers(work, work.caller.actor.id);
    if (isLastOwner) throw lastOwner();
    await endMembership(work, member.id);
    return { left: true as const };
  },
});
