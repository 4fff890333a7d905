import { sql } from 'kysely';
import { orgTransaction } from '../../database/org-transaction.ts';
import type { Database } from '../../database/pool.ts';
import { reaches, type Caller, type Role } from '../../kernel/caller.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { hashToken } from '../accounts/token.ts';
import { writeAudit } from '../orgs/audit.ts';
import { readClock } from '../orgs/org-clock.ts';
import { addMember } from './member.ts';

/** An invitation as the one who was invited sees it. */
export interface Invited {
  readonly org_id: OrgId;
  readonly name: string;
  readonly mode: 'live' | 'test';
  readonly id: string;
  readonly role: Role;
}

export async function findInvitation(
  database: Database,
  token: string,
  now: Date,
): Promise<(Invited & { readonly email: string }) | undefined> {
  const { rows } = await sql<Invited & { email: string }>`
    select * from gate.find_invitation(${hashToken(token)}, ${now})`.execute(database);
  return rows[0];
}

/** What an address is invited to. */
export const invitationsTo = async (database: Database, email: string, now: Date): Promise<Invited[]> =>
  (
    await sql<Invited>`select org_id, name, mode, id, role from gate.invitations_to(${email}, ${now})`.execute(
      database,
    )
  ).rows;

/** A user who is signed in, and the call by which they accept. */
export interface Accepting {
  readonly userId: string;
  readonly email: string;
  readonly call: Pick<Caller, 'requestId' | 'address' | 'now'>;
}

/**
 * Makes the user a member by an invitation to their own address, once. It is worth what the one who sent it may give
 * now: nothing, once they are no member or of a lower role. Whether it was.
 */
export const acceptInvitation = (
  database: Database,
  { org_id: org, id }: Pick<Invited, 'org_id' | 'id'>,
  { userId, email, call }: Accepting,
): Promise<boolean> =>
  orgTransaction(database, org, 'write', async (db) => {
    const held = await db
      .selectFrom('invitations')
      .select(['role', 'invited_by'])
      .where('org_id', '=', org)
      .where('id', '=', id)
      .where('email', '=', email)
      .where('ends_at', '>', call.now)
      .forUpdate()
      .executeTakeFirst();
    if (held === undefined) return false;
    const role = held.role as Role;
    const sender = await db
      .selectFrom('members')
      .select('role')
      .where('org_id', '=', org)
      .where('id', '=', held.invited_by)
      .executeTakeFirst();
    if (sender === undefined || !reaches(sender.role as Role, role)) return false;
    await db
      .updateTable('invitations')
      // Not now: another call may have begun before this one and still be on its way.
      .set((row) => ({ ends_at: row.ref('sent_at') }))
      .where('org_id', '=', org)
      .where('id', '=', id)
      .execute();
    await addMember(db, org, { userId, email, role }, call.now);
    const { now } = await readClock(db, org, call.now);
    const caller = { actor: { kind: 'user', id: userId }, face: 'account', ...call } as const;
    const touched = { invitation_id: id, user_id: userId };
    await writeAudit({ db, org, now, caller, touched }, 'accept_invitation');
    return true;
  });
