import type { OrgId } from '../kernel/ids.ts';
import type { Database } from './pool.ts';
import type { Keyring, MailSettings, Work } from './work.ts';

/** What the service itself works with when nobody asked: an engine's alarm, a bounce, a click. */
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
  /** Who acts, for the audit row: broadcast_run, mailbox, unsubscribe… */
  readonly actor: string;
  readonly requestId: string;
}

/** A piece of work done by the service itself, inside a transaction of one organization. */
export const serviceWork = (
  { keys, mail }: ServiceParts,
  { db, org, now, mode, currency, actor, requestId }: ServiceMoment,
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
  },
  touched: {},
  keys,
  mail,
});
