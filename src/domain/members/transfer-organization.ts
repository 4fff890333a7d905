import type { Database } from '../../database/pool.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { auditChange, type ChangingState } from '../orgs/change-state.ts';
import { addMember, type NewMember } from './member.ts';

/** The operator gives an organization to a user: they are its only owner, and those who were are admins. */
export async function transferOrganization(
  by: ChangingState,
  user: Pick<NewMember, 'userId' | 'email'>,
): Promise<void> {
  const { db, org } = by;
  await holdOwners(db, org);
  await db
    .updateTable('members')
    .set({ role: 'admin' })
    .where('org_id', '=', org)
    .where('role', '=', 'owner')
    .where('id', '<>', user.userId)
    .execute();
  if (!(await addMember(db, org, { ...user, role: 'owner' }, by.now)))
    await db
      .updateTable('members')
      .set({ role: 'owner' })
      .where('org_id', '=', org)
      .where('id', '=', user.userId)
      .execute();
  await auditChange(by, 'transfer_organization', { org_id: org, user_id: user.userId });
}

/** In the order in which members themselves are held. */
const holdOwners = (db: Database, org: OrgId) =>
  db
    .selectFrom('members')
    .select('id')
    .where('org_id', '=', org)
    .where('role', '=', 'owner')
    .orderBy('id')
    .forUpdate()
    .execute();
