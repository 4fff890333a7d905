-- list_workflows: 5 statements, 16 buffers
-- organizations 3, workflows 13

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select count(*) as "total"
  from "workflows"
  where "org_id" = $1;

select "id", "name", "status", "live_version", "revision", "created_at", "updated_at"
  from "workflows"
  where "org_id" = $1
  order by "created_at" desc, "id" desc
  limit $2 offset $3;

commit;
