-- create_webinar: 6 statements, 28 buffers
-- audit_log 7, organizations 9, webinars 5, workflows 7

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id"
  from "workflows"
  where "org_id" = $1 and "id" = $2;

insert into "webinars" ("org_id", "id", "title", "start_time", "timezone", "duration_minutes", "join_url", "provider", "status", "automation_id", "created_at", "updated_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  returning "id", "title", "start_time", "timezone", "duration_minutes", "join_url", "provider", "status", "automation_id", "created_at", "updated_at";

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
