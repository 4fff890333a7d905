import type { OrgId } from '../kernel/ids.ts';
import type { Database } from './pool.ts';
import type { Keyring, MailSettings, Work } from './work.ts';

/** What the service needs for work that no caller asked for: an engine's alarm, a bounce, a click. */
export interface ServiceParts {
  readonly keys: Keyring;
  readonly mail: MailSettings;
}

export interface ServiceMoment {
  readonly db: Database;
  readonly org: OrgId;
  /** By the organization's clock. */
  readonly now: Date;
  readonly mode: 'live' | 'test';
  readonly currency: string;
  /** Why the organization is suspended, if it is. */
  readonly suspended?: string | undefined;
  /** Who acts, for the audit row: broadcast_run, mailbox, unsubscribe… */
  readonly actor: string;
  readonly requestId: string;
}

/** A piece of work done by the service itself, inside a transaction of one organization. */
export const serviceWork = (
  { keys, mail }: ServiceParts,
  { db, org, now, mode, currency, suspended, actor, requestId }: ServiceMoment,
): Work => ({
  db,
  org,
  now,
  caller: {
    org,
    actor: { kind: 'service', id: actor },
    permissions: new Set(),
    powers: new Set(),
    face: 'engine',
    requestId,
    address: null,
    now,
    mode,
    currency,
    suspended,
  },
  touched: {},
  keys,
  mail,
});
