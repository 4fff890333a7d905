-- register_for_webinar: 18 statements, 278 buffers
-- audit_log 7, events 6, identifiers 25, organizations 24, outbox 8, people 104, people_counts 3, platform_links 6, registrations 36, suppressed_addresses 1, wait_clocks 8, waits 7, webinars 12, workflow_run_counts 3, workflow_runs 19, workflows 9

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

select "i"."type", "i"."value", "i"."person_id", "p"."first_name", "p"."last_name"
  from "identifiers" as "i"
  inner join "people" as "p" on "p"."org_id" = "i"."org_id" and "p"."id" = "i"."person_id"
  where "i"."org_id" = $1 and ("i"."type" = $2 and "i"."value" = $3);

with person as ( insert into people (org_id, id, first_name, last_name, primary_email, primary_phone, external_user_id, primary_contact_method, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ), attached as ( insert into identifiers (org_id, id, person_id, type, value, typed, is_contact_method, is_primary_for_type, created_at) select $11, sent.id, $12, sent.type, sent.value, sent.typed, sent.contact, sent.first and true, $13
  from jsonb_to_recordset($14::jsonb) as sent(id uuid, type text, value text, typed text, first boolean, contact boolean)
  on conflict do nothing
  returning 1 ) select count(*) as attached
  from attached;

insert into opt_outs as o (org_id, person_id, email_opt_out, sms_opt_out, updated_at) select $1, $2, bool_or(channel = 'email'), bool_or(channel = 'sms'), $3
  from suppressed_addresses
  where org_id = $4 and channel in ('email', 'sms') and address_hash = any($5::bytea[]) having count(*) > 0
  on conflict (org_id, person_id) do update set email_opt_out = o.email_opt_out or excluded.email_opt_out, sms_opt_out = o.sms_opt_out or excluded.sms_opt_out, email_out_by = case when not excluded.email_opt_out then o.email_out_by end, sms_out_by = case when not excluded.sms_opt_out then o.sms_out_by end, updated_at = excluded.updated_at;

select pg_advisory_xact_lock_shared(hashtextextended($1, 0));

with open as ( select org_id, id, title, start_time, join_url
  from webinars
  where org_id = $1 and id = $2 and status <> 'canceled' ), added as ( insert into registrations (org_id, id, webinar_id, person_id, registered_at) select org_id, $3, id, $4, $5
  from open
  on conflict (org_id, webinar_id, person_id) do nothing
  returning 1 ) select title, start_time, join_url, exists (select 1
  from added) as added, ( select exists (select
  from platform_links
  where org_id = $6 and webinar_id = $7)) as is_linked, ( select exists (select
  from workflows f
  where f.org_id = $8 and f.status = 'live' and f.trigger_kind = 'webinar_registration' and (f.trigger_webinar_id is null or f.trigger_webinar_id = $9))) as is_awaited
  from open;

with link as ( select id
  from platform_links
  where org_id = $1 and webinar_id = $2 for key share ) update registrations set push_state = 'pending', push_next_at = $3, push_link = link.id
  from link
  where registrations.org_id = $4 and registrations.id = $5
  returning 1;

insert into "outbox" ("org_id", "service", "handler", "payload", "created_at")
  values ($1, $2, $3, $4, $5);

with begun as ( insert into workflow_runs (org_id, id, workflow_id, version, person_id, webinar_id, registration_id, started_at) select f.org_id, new_id($1), f.id, f.live_version, $2, $3, $4, $5
  from workflows f
  where f.org_id = $6 and f.status = 'live' and f.trigger_kind = 'webinar_registration' and (f.trigger_webinar_id is null or f.trigger_webinar_id = $7)
  on conflict do nothing
  returning id, person_id, workflow_id, version, webinar_id) insert into waits (org_id, run_id, clock_id, person_id, workflow_id, version, node, due_at, began_at) select $8, id, coalesce(webinar_id, $9), person_id, workflow_id, version, $10, $11, $12
  from begun
  returning clock_id;

select pg_advisory_xact_lock_shared(hashtextextended($1, 0));

select "next_at"
  from "wait_clocks"
  where "org_id" = $1 and "id" = $2 and "next_at" <= $3;

insert into wait_clocks as c (org_id, id, next_at)
  values ($1, $2, $3)
  on conflict (org_id, id) do update set next_at = excluded.next_at
  where c.next_at > excluded.next_at
  returning 1;

insert into "outbox" ("org_id", "service", "handler", "payload", "created_at")
  values ($1, $2, $3, $4, $5);

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
