-- delete_webinar: 10 statements, 57 buffers
-- audit_log 7, broadcasts 6, organizations 6, platform_links 1, registration_pages 1, registrations 8, wait_clocks 1, webinars 19, workflow_run_counts 1, workflows 7

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

select pg_advisory_xact_lock(hashtextextended($1, 0));

select *
  from "webinars"
  where "org_id" = $1 and "id" = $2 for no key update;

select exists (select 1
  from registrations
  where org_id = $1 and webinar_id = $2) as registered, exists (select 1
  from workflow_run_counts
  where org_id = $3 and webinar_id = $4) as ran, exists (select 1
  from broadcasts b
  where b.org_id = $5 and b.webinar_id = $6 and (b.workflow_id is not null or b.started_at is not null)) as sent, (select b.id
  from broadcasts b
  where b.org_id = $7 and b.webinar_id = $8
  limit 1) as broadcast, (select f.id
  from workflows f
  where f.org_id = $9 and (f.trigger_webinar_id = $10 or f.graph #>> '{trigger,webinar_id}' = $11::text)
  limit 1) as workflow;

delete from "wait_clocks"
  where "org_id" = $1 and "id" = $2;

delete from "webinars"
  where "org_id" = $1 and "id" = $2;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
