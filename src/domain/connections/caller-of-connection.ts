import { permissionsOf, type Caller, type Permission } from '../../kernel/caller.ts';
import { suspensionOf } from '../orgs/org-state.ts';
import type { ConnectionRecord } from './authenticate-connection.ts';

/** The caller behind a tool connection, for one request: what was granted, as far as the user's role has it now. */
export const callerOfConnection = (
  record: ConnectionRecord,
  request: Pick<Caller, 'face' | 'requestId' | 'address' | 'now'>,
): Caller => ({
  org: record.org_id,
  actor: { kind: 'user', id: record.user_id },
  connection: record.connection_id,
  role: record.role,
  permissions: new Set(record.permissions.filter((one) => permissionsOf[record.role].includes(one))),
  powers: new Set(),
  mode: record.mode,
  currency: record.currency,
  suspended: suspensionOf(record),
  ...request,
});

/** What the user could grant this connection if it asked. */
export const couldGet = ({ role }: ConnectionRecord): ReadonlySet<Permission> => new Set(permissionsOf[role]);
