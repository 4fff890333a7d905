import { sql } from 'kysely';
import type { Database } from '../database/pool.ts';

/** Tells the engine again of broadcasts whose time has come, each by its organization's clock, and that did not start. */
export async function rearmBroadcasts(
  db: Database,
  now: Date,
  overdueSeconds: number,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into outbox (org_id, service, handler, payload, created_at)
    select b.org_id, 'BroadcastStart', 'begin',
      jsonb_build_object('org_id', b.org_id, 'broadcast_id', b.id, 'revision', b.revision::text), ${now}
    from broadcasts b join organizations o on o.id = b.org_id
    where b.status = 'scheduled'
      and b.send_at <= ${now}::timestamptz
        + make_interval(secs => o.clock_ahead_ms / 1000.0) - make_interval(secs => ${overdueSeconds})
      and not exists (
        select 1 from outbox x where x.org_id = b.org_id and x.payload ->> 'broadcast_id' = b.id::text)
    order by b.send_at
    limit ${most}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
