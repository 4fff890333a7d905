-- delete_workflow: 8 statements, 35 buffers
-- audit_log 7, broadcasts 5, organizations 6, webinars 3, workflow_run_counts 1, workflow_versions 1, workflows 12

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select *
  from "workflows"
  where "org_id" = $1 and "id" = $2 for no key update;

select coalesce(sum("step"), 0) as "begun", coalesce(sum("forgotten"), 0) as "forgotten"
  from "workflow_run_counts"
  where "org_id" = $1 and "workflow_id" = $2;

select "id"
  from "broadcasts"
  where "org_id" = $1 and "workflow_id" = $2
  limit $3;

delete from "workflows"
  where "org_id" = $1 and "id" = $2;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
