import { managesAccess, permissionsOf, type Caller, type Power, type Role } from '../../kernel/caller.ts';
import { suspensionOf } from '../orgs/org-state.ts';
import type { Membership } from './find-signed-in.ts';

const ofEverybody: readonly Power[] = ['drop_suppression', 'replace_external_id', 'replace_names', 'leave'];
const powersOf = (role: Role): ReadonlySet<Power> =>
  new Set<Power>([...ofEverybody, ...(managesAccess(role) ? (['manage_access'] as const) : [])]);

/** The caller behind a user's session, for one request in one of their organizations. */
export const callerOfMember = (
  user: string,
  membership: Membership,
  request: Pick<Caller, 'face' | 'requestId' | 'address' | 'now'>,
): Caller => ({
  org: membership.org_id,
  actor: { kind: 'user', id: user },
  role: membership.role,
  permissions: new Set(permissionsOf[membership.role]),
  powers: powersOf(membership.role),
  mode: membership.mode,
  currency: membership.currency,
  suspended: suspensionOf(membership),
  ...request,
});
