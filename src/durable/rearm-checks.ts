import { sql } from 'kysely';
import type { Database } from '../database/pool.ts';

/** Tells the engine of sending domains whose next check has come. A message asks for nothing once that check was made. */
export async function rearmChecks(
  db: Database,
  now: Date,
  overdueSeconds: number,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into outbox (org_id, service, handler, payload, created_at)
    select d.org_id, 'SendingDomains', 'check',
      jsonb_build_object('org_id', d.org_id, 'domain_id', d.id, 'asked_at', d.next_check_at), ${now}
    from sending_domains d
    where d.next_check_at <= ${now}::timestamptz - make_interval(secs => ${overdueSeconds})
      and not exists (
        select 1 from outbox o where o.org_id = d.org_id and o.payload ->> 'domain_id' = d.id::text)
    order by d.next_check_at
    limit ${most}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
