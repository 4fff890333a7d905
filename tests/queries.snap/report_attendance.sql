-- report_attendance: 10 statements, 133 buffers
-- audit_log 4, events 10, identifiers 5, organizations 4, people 74, registrations 27, webinars 6, workflows 3

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id", "title", "status", "start_time", "timezone", "duration_minutes", "join_url"
  from "webinars"
  where "org_id" = $1 and "id" = $2;

select "i"."type", "i"."value", "i"."person_id", "p"."first_name", "p"."last_name"
  from "identifiers" as "i"
  inner join "people" as "p" on "p"."org_id" = "i"."org_id" and "p"."id" = "i"."person_id"
  where "i"."org_id" = $1 and (("i"."type" = $2 and "i"."value" = $3) or ("i"."type" = $4 and "i"."value" = $5));

select r.id, r.attended, r.attendance_source
  from people p
  join registrations r on r.org_id = p.org_id and r.person_id = p.id
  where p.org_id = $1 and p.id = $2 and r.webinar_id = $3 for key share of p for update of r;

update "registrations" set "attended" = $1, "attendance_source" = $2, "attendance_at" = $3
  where "org_id" = $4 and "id" = $5;

insert into events (org_id, id, person_id, name, custom_properties, occurred_at, created_at, event_id) select p.org_id, e.id, p.id, e.name, e.custom_properties, e.occurred_at, $1, e.event_id
  from jsonb_to_recordset($2::jsonb) as e(id uuid, person_id uuid, name text, custom_properties jsonb, occurred_at timestamptz, event_id text)
  join people p on p.org_id = $3 and p.id = e.person_id
  order by p.id, e.event_id, e.id for key share of p
  on conflict (org_id, event_id)
  where event_id is not null do nothing
  returning id;

with begun as ( insert into workflow_runs (org_id, id, workflow_id, version, person_id, webinar_id, event_id, started_at) select e.org_id, new_id($1), f.id, f.live_version, e.person_id, t.id, e.id, $2
  from events e
  join workflows f on f.org_id = e.org_id and f.status = 'live' and f.trigger_kind = 'event' and f.trigger_event = e.name
  left join webinars t on t.org_id = e.org_id and t.id = case when e.name like '$svc\_webinar\_%' then (e.custom_properties ->> 'webinar_id')::uuid end
  where e.org_id = $3 and e.id = any($4::uuid[])
  order by e.id
  on conflict do nothing
  returning id, person_id, workflow_id, version, webinar_id) insert into waits (org_id, run_id, clock_id, person_id, workflow_id, version, node, due_at, began_at) select $5, id, coalesce(webinar_id, $6), person_id, workflow_id, version, $7, $8, $9
  from begun
  returning clock_id;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

commit;
