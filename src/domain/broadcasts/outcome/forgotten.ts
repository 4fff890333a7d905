import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { StoredBroadcast } from '../draft/broadcast-rows.ts';

/**
 * Whether the recipients of a broadcast are past what is kept: it had some, and the ledger has none of them any more; or
 * it began before the months that the organization keeps, and the last of them are about to go.
 */
export async function isForgotten(
  { db, org, now }: Work,
  { id, recipients, started_at }: StoredBroadcast,
): Promise<boolean> {
  if (recipients === 0 || started_at === null) return false;
  const { rows } = await sql<{ past: boolean; any: boolean }>`
    select coalesce(${started_at}::timestamptz at time zone 'UTC' < date_trunc('month', ${now}::timestamptz at time zone 'UTC')
        - make_interval(months => history_months::int), false) as past,
      exists (select 1 from deliveries d where d.org_id = ${org} and d.broadcast_id = ${id} and d.ended is null)
      or exists (select 1 from deliveries d where d.org_id = ${org} and d.broadcast_id = ${id} and d.ended is not null)
        as any
    from organizations where id = ${org}`.execute(db);
  return rows[0]!.past || !rows[0]!.any;
}
