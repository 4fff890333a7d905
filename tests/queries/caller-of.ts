import { permissions, type Caller } from '../../src/kernel/caller.ts';
import type { TestOrg } from '../support/test-org.ts';

/** A caller who may do everything. */
export const callerOf = (org: TestOrg, at: Date): Caller => ({
  org: org.id,
  actor: { kind: 'api_key', id: org.keyId },
  permissions: new Set(permissions),
  powers: new Set(['drop_suppression', 'replace_external_id', 'replace_names', 'manage_access', 'leave']),
  face: 'rest',
  requestId: 'counted',
  address: null,
  now: at,
  mode: 'test',
  currency: 'USD',
});
