import { orgTransaction } from '../../database/org-transaction.ts';
import type { Database } from '../../database/pool.ts';
import { serviceWork, type ServiceParts } from '../../database/service-work.ts';
import type { Work } from '../../database/work.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { suspensionOf } from './org-state.ts';

export interface Asked {
  readonly org: OrgId;
  /** By the service's clock; the work itself goes by the organization's. */
  readonly now: Date;
  /** Who acts, for the audit row. */
  readonly actor: string;
  readonly requestId: string;
  /** This work rests while the organization is suspended. */
  readonly rests?: boolean | undefined;
}

/**
 * One transaction of work that the service does itself; undefined when the organization does not exist or is being
 * deleted, and for work that rests when it is suspended.
 */
export const asService = <T>(
  database: Database,
  parts: ServiceParts,
  { org, now, actor, requestId, rests = false }: Asked,
  handle: (work: Work) => Promise<T>,
): Promise<T | undefined> =>
  orgTransaction(database, org, 'write', async (db) => {
    const found = await db
      .selectFrom('organizations')
      .select(['mode', 'currency', 'clock_ahead_ms', 'state', 'state_reason'])
      .where('id', '=', org)
      .executeTakeFirst();
    if (found === undefined || found.state === 'deleting') return undefined;
    const suspended = suspensionOf(found);
    if (rests && suspended !== undefined) return undefined;
    const moment = new Date(now.getTime() + found.clock_ahead_ms);
    const mode = found.mode as 'live' | 'test';
    const about = { db, org, now: moment, mode, currency: found.currency, suspended, actor, requestId };
    return handle(serviceWork(parts, about));
  });
