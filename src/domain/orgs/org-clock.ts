import type { Database } from '../../database/pool.ts';
import type { OrgId } from '../../kernel/ids.ts';

export interface OrgClock {
  /** The service's time, or for a test organization as much later as it was moved. */
  readonly now: Date;
  /** When it was last moved, by the service's clock. */
  readonly movedAt: Date | null;
}

/** What an organization's clock shows. */
export async function readClock(db: Database, org: OrgId, now: Date): Promise<OrgClock> {
  const found = await db
    .selectFrom('organizations')
    .select(['clock_ahead_ms', 'clock_moved_at'])
    .where('id', '=', org)
    .executeTakeFirst();
  return {
    now: new Date(now.getTime() + (found?.clock_ahead_ms ?? 0)),
    movedAt: found?.clock_moved_at ?? null,
  };
}
