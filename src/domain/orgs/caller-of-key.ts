import type { Caller, Power } from '../../kernel/caller.ts';
import type { KeyRecord } from './api-key.ts';
import { suspensionOf } from './org-state.ts';

/** The caller behind an API key, for one request. */
export const callerOfKey = (
  record: KeyRecord,
  request: Pick<Caller, 'face' | 'requestId' | 'address' | 'now'>,
  powers: ReadonlySet<Power>,
): Caller => ({
  org: record.org_id,
  actor: { kind: 'api_key', id: record.key_id },
  permissions: new Set(record.permissions),
  powers,
  mode: record.mode,
  currency: record.currency,
  suspended: suspensionOf(record),
  ...request,
});
