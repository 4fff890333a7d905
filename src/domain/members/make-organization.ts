import { orgTransaction } from '../../database/org-transaction.ts';
import type { Database } from '../../database/pool.ts';
import { Failure } from '../../kernel/failure.ts';
import { newId, type OrgId } from '../../kernel/ids.ts';
import { writeAudit } from '../orgs/audit.ts';
import { insertOrganization, type NewOrganization } from '../orgs/create-organization.ts';
import type { Accepting } from './accept-invitation.ts';
import { organizationsOf } from './find-signed-in.ts';
import { addMember } from './member.ts';

const mostOwned = 20;

/** Makes an organization that a user owns. It has no key yet. */
export const makeOrganization = async (
  database: Database,
  organization: NewOrganization,
  { userId, email, call }: Accepting,
): Promise<OrgId> => {
  const org = newId<OrgId>(call.now);
  await orgTransaction(database, org, 'write', async (db) => {
    const owned = (await organizationsOf(db, userId)).filter(({ role }) => role === 'owner');
    if (owned.length >= mostOwned)
      throw new Failure('forbidden', `You own ${mostOwned} organizations. Nobody owns more.`);
    await insertOrganization(db, org, organization, call.now);
    await addMember(db, org, { userId, email, role: 'owner' }, call.now);
    const caller = { actor: { kind: 'user', id: userId }, face: 'account', ...call } as const;
    const touched = { org_id: org, user_id: userId };
    await writeAudit({ db, org, now: call.now, caller, touched }, 'create_organization');
  });
  return org;
};
