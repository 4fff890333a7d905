import type { Work } from '../../database/work.ts';
import { managesAccess, reaches, type Role } from '../../kernel/caller.ts';
import { Failure } from '../../kernel/failure.ts';
import { memberNotFound, type MemberRow } from './member.ts';

/** The caller's role, if it still manages access: what the session was let in with may be half a second old. */
export async function requireManager({ db, org, caller }: Work): Promise<Role> {
  const own = await db
    .selectFrom('members')
    .select('role')
    .where('org_id', '=', org)
    .where('id', '=', caller.actor.id)
    .executeTakeFirst();
  if (own === undefined || !managesAccess(own.role as Role)) throw noManager();
  return own.role as Role;
}

export function refuseAbove(own: Role, other: Role): void {
  if (!reaches(own, other))
    throw new Failure('forbidden', `Your role, ${own}, gives and takes no ${other}. An owner can.`);
}

/**
 * Holds the owners, the caller and the member it is about until the transaction ends, so that of two owners who go at
 * once the second sees that it is the last. Answers with that member and the caller's own role now.
 */
export async function holdMembers(
  { db, org, caller }: Work,
  about: string,
): Promise<{ readonly own: Role; readonly member: MemberRow; readonly isLastOwner: boolean }> {
  const rows = (await db
    .selectFrom('members')
    .select(['id', 'email', 'role', 'since'])
    .where('org_id', '=', org)
    .where((eb) => eb.or([eb('role', '=', 'owner'), eb('id', 'in', [about, caller.actor.id])]))
    .orderBy('id')
    .forUpdate()
    .execute()) as MemberRow[];
  const own = rows.find(({ id }) => id === caller.actor.id);
  if (own === undefined) throw noManager();
  const member = rows.find(({ id }) => id === about.toLowerCase());
  if (member === undefined) throw memberNotFound();
  const owners = rows.filter(({ role }) => role === 'owner');
  return { own: own.role, member, isLastOwner: member.role === 'owner' && owners.length === 1 };
}

const noManager = (): Failure =>
  new Failure('forbidden', 'Your role in this organization was changed. You cannot do this any more.');

export const lastOwner = (): Failure =>
  new Failure('last_owner', 'This is the only owner. Make another member an owner first.');

export async function endMembership(work: Work, user: string): Promise<void> {
  await work.db.deleteFrom('members').where('org_id', '=', work.org).where('id', '=', user).execute();
  work.touched['user_id'] = user;
}
