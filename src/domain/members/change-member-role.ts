import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { UserId } from '../../kernel/ids.ts';
import { holdMembers, lastOwner, refuseAbove } from './hold-members.ts';
import { Member, MemberRole, toMember } from './member.ts';

export const changeMemberRole = defineOperation({
  name: 'change_member_role',
  title: "Change a member's role",
  summary:
    'Give a member another role. Nobody gives or takes a role above their own, and an organization keeps an owner.',
  permission: 'settings.write',
  power: 'manage_access',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['PATCH /v1/members/:user_id'] },
  input: z.strictObject({ user_id: UserId, role: MemberRole }),
  output: z.object({ member: Member }),
  handle: async (work, { user_id, role }) => {
    const { own, member, isLastOwner } = await holdMembers(work, user_id);
    refuseAbove(own, member.role);
    refuseAbove(own, role);
    if (role === member.role) return { member: toMember(member) };
    if (isLastOwner) throw lastOwner();
    await work.db
      .updateTable('members')
      .set({ role })
      .where('org_id', '=', work.org)
      .where('id', '=', member.id)
      .execute();
    work.touched['user_id'] = member.id;
    return { member: toMember({ ...member, role }) };
  },
});
