import { z } from 'zod';
import type { Database } from '../../database/pool.ts';
import { roles, type Role } from '../../kernel/caller.ts';
import { Failure } from '../../kernel/failure.ts';
import { UserId, type OrgId } from '../../kernel/ids.ts';
import { MomentOut } from '../../kernel/moment.ts';

export const MemberRole = z
  .enum(roles)
  .describe('owner, admin, editor (no keys, members, deletion of people or scheduling), sender, viewer.');

export const Member = z
  .object({
    user_id: UserId,
    email: z.string().describe('The address of their account when they became a member.'),
    role: MemberRole,
    since: MomentOut.describe('When they became a member.'),
  })
  .meta({ id: 'Member' });

export interface MemberRow {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly since: Date;
}

export const toMember = ({ id, email, role, since }: MemberRow): z.input<typeof Member> => ({
  user_id: id,
  email,
  role,
  since: since.toISOString(),
});

export interface NewMember {
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
}

/** Makes a user a member; whether they were none before. Runs inside the organization. */
export async function addMember(
  db: Database,
  org: OrgId,
  { userId, email, role }: NewMember,
  now: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('members')
    .values({ org_id: org, id: userId, email, role, since: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export const memberNotFound = (): Failure => new Failure('not_found', 'There is no such member.');
