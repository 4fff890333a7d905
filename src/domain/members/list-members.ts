import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { pageInput, pageOutput } from '../../kernel/page.ts';
import { Member, toMember, type MemberRow } from './member.ts';

export const listMembers = defineOperation({
  name: 'list_members',
  title: 'List members',
  summary: 'The users who may act in this organization, and what each may do, by address.',
  permission: 'settings.read',
  effect: 'read',
  faces: { rest: ['GET /v1/members'] },
  input: z.strictObject(pageInput),
  output: z.object({ members: z.array(Member), ...pageOutput }),
  handle: async ({ db, org }, { limit, offset }) => {
    const ours = db.selectFrom('members').where('org_id', '=', org);
    const { total } = await ours
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = await ours
      .select(['id', 'email', 'role', 'since'])
      .orderBy('email')
      .orderBy('id')
      .limit(limit)
      .offset(offset)
      .execute();
    return { members: (rows as MemberRow[]).map(toMember), total: Number(total), limit, offset };
  },
});
