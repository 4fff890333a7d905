import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../database/pool.ts';

/** What of one kind is due, told to one handler. */
export interface Due {
  readonly service: string;
  readonly handler: string;
  /** The field of the payload that names the row: while a message with it waits in the outbox, no other is written. */
  readonly names: string;
  /** Rows of org_id, payload and since. */
  readonly rows: RawBuilder<unknown>;
}

const most = 5_000; // at a time; the next sweep takes the rest

/** Everything that is overdue by so many seconds. Each kind is found by its time, whatever else is still to come. */
export const everythingDue = (now: Date, overdueSeconds: number): Due[] => {
  const latest = sql`${now}::timestamptz - make_interval(secs => ${overdueSeconds})`;
  const alarm = sql`b.org_id, b.send_at as since,
    jsonb_build_object('org_id', b.org_id, 'broadcast_id', b.id, 'revision', b.revision::text) as payload`;
  const lane = sql`l.org_id, l.next_at as since,
    jsonb_build_object('org_id', l.org_id, 'lane', l.broadcast_id || '/' || l.lane) as payload`;
  return [
    {
      service: 'BroadcastRun',
      handler: 'send',
      names: 'lane',
      rows: sql`
        select ${lane} from delivery_lanes l where l.next_at <= ${latest}
        union all
        select ${lane} from organizations o join delivery_lanes l on l.org_id = o.id
        where o.clock_ahead_ms > 0 and l.next_at > ${latest}
          and l.next_at <= ${latest} + make_interval(secs => o.clock_ahead_ms / 1000.0)`,
    },
    {
      service: 'PersonProperties',
      handler: 'apply',
      names: 'change_id',
      rows: sql`
        select c.org_id, c.requested_at as since,
          jsonb_build_object('org_id', c.org_id, 'change_id', c.id, 'request_id', c.request_id) as payload
        from property_changes c where c.requested_at <= ${latest}`,
    },
    {
      service: 'SendingDomains',
      handler: 'check',
      names: 'domain_id',
      rows: sql`
        select d.org_id, d.next_check_at as since,
          jsonb_build_object('org_id', d.org_id, 'domain_id', d.id, 'asked_at', d.next_check_at) as payload
        from sending_domains d where d.next_check_at <= ${latest}`,
    },
    {
      service: 'BroadcastStart',
      handler: 'begin',
      names: 'broadcast_id',
      // Clocks only ever run ahead, so a real time that has passed has passed for everybody.
      rows: sql`
        select ${alarm} from broadcasts b where b.status = 'scheduled' and b.send_at <= ${latest}
        union all
        select ${alarm} from organizations o join broadcasts b on b.org_id = o.id
        where o.clock_ahead_ms > 0 and b.status = 'scheduled' and b.send_at > ${latest}
          and b.send_at <= ${latest} + make_interval(secs => o.clock_ahead_ms / 1000.0)`,
    },
  ];
};

/** Writes an outbox row for each thing that is due and not in the outbox already. Answers how many. */
export async function tellAgain(db: Database, now: Date, due: Due): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into outbox (org_id, service, handler, payload, created_at)
    select d.org_id, ${due.service}, ${due.handler}, d.payload, ${now}
    from (${due.rows}) d
    where not exists (
      select 1 from outbox o where o.org_id = d.org_id and o.payload ->> ${due.names} = d.payload ->> ${due.names})
    order by d.since
    limit ${most}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
