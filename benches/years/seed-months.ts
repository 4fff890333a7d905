import type pg from 'pg';
import type { YearsPlan } from './plan.ts';

/**
 * A month is filled without indexes and attached with them, as a restore does it; the triggers that count are on the
 * whole table, so that totals are written here. One broadcast of every organization comes after another.
 */
export async function seedDeliveries(client: pg.Client, plan: YearsPlan, month: Date): Promise<void> {
  const part = await emptyMonth(client, 'deliveries', month);
  for (let n = 0; n < plan.broadcastsAMonth; n++) {
    const at = new Date(month.getTime() + ((n + 1) * 27 * 86_400_000) / plan.broadcastsAMonth);
    await client.query(
      `create temporary table begun as select org_id, turn, new_id($1::timestamptz) as id from numbered`,
      [at],
    );
    await client.query(
      `insert into broadcasts (org_id, id, status, channel, audience, subject, html, created_by, send_at, started_at,
         prepared_at, finished_at, created_at, updated_at, recipients, sent, skipped, delivered, opened, clicked)
       select org_id, id, 'sent', 'email', 'everyone', 'News', '<p>News</p>', '{}', $1, $1, $1, $1, $1, $1, $2::bigint,
         $2 - $2 / 20, $2 / 20, 0, $2 / 4, $2 / 20 from begun`,
      [at, plan.people],
    );
    await client.query(
      `insert into broadcast_tallies (org_id, broadcast_id, kind, quarter, count)
       select org_id, id, 'sent', quarter_of($1), $2::bigint from begun`,
      [at, plan.people - Math.floor(plan.people / 20)],
    );
    await client.query(
      `insert into ${part} (org_id, id, broadcast_id, person_id, due_at, attempts, state, reason, address, reply,
         sent_at, opened_at, clicked_at)
       select p.org_id, first_number_of_month($1::timestamptz) + nextval('delivery_ids'), b.id, p.person_id, $2::timestamptz,
         case when skipped then 0 else 1 end, case when skipped then 'skipped' else 'sent' end,
         case when skipped then 'opted_out' end, case when not skipped then p.primary_email end,
         case when not skipped then '250 2.0.0 Ok: queued as ' || upper(substr(md5(p.person_id::text), 1, 10)) end,
         case when not skipped then $2::timestamptz + interval '1 minute' end,
         case when place % 4 = 1 then $2::timestamptz + interval '1 hour' end,
         case when place % 20 = 1 then $2::timestamptz + interval '1 hour' end
       from begun b join numbered_people p using (turn), lateral (select place % 20 = 0 as skipped) s
       order by p.turn, p.place`,
      [month, at],
    );
    await client.query('drop table begun');
  }
  await attach(client, 'deliveries', month);
}

/** Every fifth event has a name that its caller gave. */
export async function seedEvents(client: pg.Client, plan: YearsPlan, month: Date): Promise<void> {
  const part = await emptyMonth(client, 'events', month);
  for (let n = 0; n < plan.eventsAMonth; n++) {
    const at = new Date(month.getTime() + ((n + 1) * 27 * 86_400_000) / plan.eventsAMonth);
    await client.query(
      `insert into ${part} (org_id, id, person_id, name, custom_properties, occurred_at, created_at, event_id)
       select org_id, new_id($1::timestamptz), person_id, (array['page_viewed', '$svc_email_sent', 'order_placed'])[1 + place % 3],
         jsonb_build_object('broadcast_id', gen_random_uuid(), 'subject', 'News'), $1::timestamptz, $1::timestamptz,
         case when place % 5 = 0 then 'event-' || $2::text || '-' || place end
       from numbered_people order by turn, place`,
      [at, `${month.toISOString().slice(0, 7)}-${n}`],
    );
  }
  await client.query(`insert into named_events (org_id, event_id, person_id, id)
    select org_id, event_id, person_id, id from ${part} where event_id is not null`);
  await attach(client, 'events', month);
}

const partOf = (table: string, month: Date): string =>
  `${table}_${month.toISOString().slice(0, 7).replace('-', '_')}`;

/** Messages that were sent fill their pages by so much: about what claiming and settling them leaves (ADR 75). */
const filled = { deliveries: 53, events: 100 };

async function emptyMonth(client: pg.Client, table: keyof typeof filled, month: Date): Promise<string> {
  const part = partOf(table, month);
  await client.query(`create table ${part} (like ${table}_default including all excluding indexes)
    with (fillfactor = ${filled[table]}, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
    alter table ${part} owner to rostrum_owner`);
  return part;
}

async function attach(client: pg.Client, table: string, month: Date): Promise<void> {
  const part = partOf(table, month);
  const next = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1));
  const first = table === 'deliveries' ? 'first_number_of_month' : 'first_uuid_of_month';
  const { rows: bounds } = await client.query<{ lowest: string; highest: string }>(
    `select ${first}($1::timestamptz)::text as lowest, ${first}($2::timestamptz)::text as highest`,
    [month, next],
  );
  const { rows: own } = await client.query<{ make: string }>(
    `select replace(pg_get_indexdef(indexrelid), $1::text, $2) as make from pg_index
     where indrelid = ($1::text)::regclass and not exists (select 1 from pg_inherits where inhrelid = indexrelid)`,
    [`${table}_default`, part],
  );
  for (const { make } of own) await client.query(make);
  const { lowest, highest } = bounds[0]!;
  await client.query(
    `alter table ${part} add constraint of_month check (id >= '${lowest}' and id < '${highest}')`,
  );
  await client.query(`alter table ${part} enable row level security, force row level security;
    alter table ${table} attach partition ${part} for values from ('${lowest}') to ('${highest}');
    alter table ${part} drop constraint of_month`);
}
