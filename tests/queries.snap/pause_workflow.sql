-- pause_workflow: 8 statements, 32 buffers
-- audit_log 7, organizations 6, workflow_versions 1, workflows 18

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

update "workflows" set "status" = $1, "revision" = $2, "updated_at" = $3
  where "org_id" = $4 and "id" = $5;

select *
  from "workflows"
  where "org_id" = $1 and "id" = $2;

select "graph"
  from "workflow_versions"
  where "org_id" = $1 and "workflow_id" = $2 and "version" = $3;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
