-- report_many_attendance: 10 statements, 139 buffers
-- audit_log 7, events 6, organizations 6, people 72, registrations 42, webinars 3, workflows 3

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id", "title", "status", "start_time", "timezone", "duration_minutes", "join_url"
  from "webinars"
  where "org_id" = $1 and "id" = $2;

select r.person_id
  from jsonb_to_recordset($1::jsonb) as s(at bigint, person_id uuid, user_id text, email text)
  left join lateral ( select coalesce(s.person_id, ( select i.person_id
  from identifiers i
  where i.org_id = $2 and i.type = 'org_assigned_user_id' and i.value = s.user_id
  limit 1), ( select i.person_id
  from identifiers i
  where i.org_id = $3 and i.type = 'email' and i.value = s.email
  limit 1)) as person_id ) meant on true
  left join registrations r on r.org_id = $4 and r.webinar_id = $5 and r.person_id = meant.person_id
  order by s.at;

select "id"
  from "people"
  where "org_id" = $1 and "id" = any($2::uuid[])
  order by "id" for key share;

select pg_advisory_xact_lock_shared(hashtextextended($1, 0));

with held as ( select r.id, s.attended, r.attended <> s.attended or r.attendance_source is null as is_news
  from unnest($1::uuid[], $2::boolean[]) as s(person_id, attended)
  join registrations r on r.org_id = $3 and r.webinar_id = $4 and r.person_id = s.person_id
  where r.attended <> s.attended or r.attendance_source is distinct
  from 'api'
  order by r.id for no key update of r) update registrations r set attended = held.attended, attendance_source = 'api', attendance_at = $5
  from held
  where r.org_id = $6 and r.id = held.id
  returning r.id, r.person_id, r.attended, held.is_news;

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
