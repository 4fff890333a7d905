-- record_events: 8 statements, 106 buffers
-- audit_log 7, events 6, named_events 9, organizations 6, people 75, workflows 3

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "event_id"
  from "named_events"
  where "org_id" = $1 and "event_id" in ($2);

select "id"
  from "people"
  where "org_id" = $1 and "id" in ($2);

select sent.type, sent.value, i.person_id
  from (select distinct type, value
  from unnest( $1::text[], $2::text[]) as s(type, value)) sent
  join lateral ( select person_id
  from identifiers
  where org_id = $3 and type = sent.type and value = sent.value and type not in ('full_name', 'chat_channel')
  limit 1 ) i on true;

with sent as materialized ( select e.*
  from jsonb_to_recordset($1::jsonb) as e(id uuid, person_id uuid, name text, custom_properties jsonb, occurred_at timestamptz, event_id text)
  join people p on p.org_id = $2 and p.id = e.person_id
  order by p.id, e.event_id, e.id for key share of "p" ), named as ( insert into named_events (org_id, event_id, person_id, id) select $3, event_id, person_id, id
  from sent
  where event_id is not null
  on conflict (org_id, event_id) do nothing
  returning id ) insert into events (org_id, id, person_id, name, custom_properties, occurred_at, created_at, event_id) select $4, id, person_id, name, custom_properties, occurred_at, $5, event_id
  from sent
  where event_id is null or id in (select id
  from named)
  returning id, ( select exists ( select
  from workflows
  where org_id = $6 and status = 'live' and trigger_kind = 'event' and trigger_event = any($7))) as is_heard;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
