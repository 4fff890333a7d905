-- get_workflow_version: 4 statements, 4 buffers
-- organizations 3, workflow_versions 1

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "drawn", "published_at"
  from "workflow_versions"
  where "org_id" = $1 and "workflow_id" = $2 and "version" = $3;

commit;
