import { orgTransaction } from '../../database/org-transaction.ts';
import type { Database } from '../../database/pool.ts';
import { serviceWork, type ServiceParts } from '../../database/service-work.ts';
import type { Work } from '../../database/work.ts';
import type { OrgId } from '../../kernel/ids.ts';

export interface Asked {
  readonly org: OrgId;
  /** By the service's clock; what is done goes by the organization's. */
  readonly now: Date;
  /** Who acts, for the audit row. */
  readonly actor: string;
  readonly requestId: string;
}

/** One transaction of work that the service does itself; nothing, when the organization is not there. */
export const asService = <T>(
  database: Database,
  parts: ServiceParts,
  { org, now, actor, requestId }: Asked,
  handle: (work: Work) => Promise<T>,
): Promise<T | undefined> =>
  orgTransaction(database, org, 'write', async (db) => {
    const found = await db
      .selectFrom('organizations')
      .select(['mode', 'currency', 'clock_ahead_ms'])
      .where('id', '=', org)
      .executeTakeFirst();
    if (found === undefined) return undefined;
    const moment = new Date(now.getTime() + found.clock_ahead_ms);
    const mode = found.mode as 'live' | 'test';
    const about = { db, org, now: moment, mode, currency: found.currency, actor, requestId };
    return handle(serviceWork(parts, about));
  });
