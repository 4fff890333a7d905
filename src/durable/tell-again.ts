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

/** Up to when things are due: `alarms` may be told ahead of their time, and wait for it in the engine. */
export interface Until {
  readonly overdueSeconds: number;
  readonly alarmsAheadSeconds?: number;
}

/** Everything that is overdue by so many seconds. Each kind is found by its time, whatever else is still to come. */
export const everythingDue = (now: Date, { overdueSeconds, alarmsAheadSeconds = 0 }: Until): Due[] => {
  const latest = sql`${now}::timestamptz - make_interval(secs => ${overdueSeconds})`;
  const alarms = sql`${now}::timestamptz - make_interval(secs => ${overdueSeconds - alarmsAheadSeconds})`;
  return [
    {
      service: 'BroadcastRun',
      handler: 'send',
      names: 'lane',
      rows: byOrgClocks(latest, {
        table: 'delivery_lanes',
        at: 'next_at',
        payload: sql`'lane', d.broadcast_id || '/' || d.lane`,
      }),
    },
    {
      service: 'WaitClock',
      handler: 'ring',
      names: 'clock_id',
      rows: byOrgClocks(alarms, {
        table: 'wait_clocks',
        at: 'next_at',
        payload: sql`'clock_id', d.id, 'at', to_char(d.next_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
        // Who has lost everything has lost whoever is releasing, too.
        ...(alarmsAheadSeconds === 0 && { where: sql`(d.busy_until is null or d.busy_until < ${now})` }),
      }),
    },
    {
      service: 'BroadcastStart',
      handler: 'begin',
      names: 'broadcast_id',
      rows: byOrgClocks(alarms, {
        table: 'broadcasts',
        at: 'send_at',
        payload: sql`'broadcast_id', d.id, 'revision', d.revision::text`,
        where: sql`d.status = 'scheduled'`,
      }),
    },
    {
      service: 'AttendanceSync',
      handler: 'read',
      names: 'sync_webinar_id',
      rows: byOrgClocks(latest, {
        table: 'platform_links',
        at: 'sync_at',
        payload: sql`'sync_webinar_id', d.webinar_id`,
      }),
    },
    {
      // By the service's clock: platforms live in the world's time.
      service: 'PlatformPush',
      handler: 'push',
      names: 'push_webinar_id',
      rows: sql`
        select d.org_id, min(d.at) as since,
          jsonb_build_object('org_id', d.org_id, 'push_webinar_id', d.webinar_id) as payload
        from (
          select org_id, webinar_id, push_next_at as at from registrations where push_next_at <= ${latest}
          union all
          select org_id, webinar_id, push_until from platform_links
          where push_after is not null and (push_until is null or push_until <= ${latest})
        ) d
        group by d.org_id, d.webinar_id`,
    },
    {
      // By the service's clock: it says when nothing was heard for too long.
      service: 'ImportRun',
      handler: 'commit',
      names: 'import_id',
      rows: sql`
        select d.org_id, d.run_at as since, jsonb_build_object('org_id', d.org_id, 'import_id', d.id) as payload
        from imports d where d.run_at <= ${alarms}`,
    },
    {
      service: 'TestSend',
      handler: 'send',
      names: 'test_send_id',
      rows: sql`
        select d.org_id, d.created_at as since, jsonb_build_object('org_id', d.org_id, 'test_send_id', d.id) as payload
        from test_sends d where d.taken_at is null and d.created_at <= ${latest}`,
    },
    {
      service: 'PersonProperties',
      handler: 'apply',
      names: 'change_id',
      rows: byOrgClocks(latest, {
        table: 'property_changes',
        at: 'requested_at',
        payload: sql`'change_id', d.id, 'request_id', d.request_id`,
      }),
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
  ];
};

interface Timed {
  readonly table: string;
  readonly at: string;
  readonly payload: RawBuilder<unknown>;
  readonly where?: RawBuilder<unknown>;
}

/**
 * Rows whose time has come on their organization's clock. Clocks only ever run ahead, so a real time that has passed
 * has passed for everybody; what beside it is due for test organizations is looked for in those alone.
 */
function byOrgClocks(latest: RawBuilder<unknown>, { table, at, payload, where = sql`true` }: Timed) {
  const time = sql.ref(`d.${at}`);
  const row = sql`d.org_id, ${time} as since, jsonb_build_object('org_id', d.org_id, ${payload}) as payload`;
  return sql`
    select ${row} from ${sql.table(table)} d where ${where} and ${time} <= ${latest}
    union all
    select ${row} from organizations o join ${sql.table(table)} d on d.org_id = o.id
    where o.clock_ahead_ms > 0 and ${where} and ${time} > ${latest}
      and ${time} <= ${latest} + make_interval(secs => o.clock_ahead_ms / 1000.0)`;
}

/** Writes an outbox row for each thing that is due and not in the outbox already. Answers how many. */
export async function tellAgain(db: Database, now: Date, due: Due, most: number): Promise<number> {
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
