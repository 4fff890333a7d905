-- get_workflow: 6 statements, 9 buffers
-- organizations 3, waits 2, workflow_run_counts 1, workflows 3

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select *
  from "workflows"
  where "org_id" = $1 and "id" = $2;

select node, count(*) as waiting
  from waits
  where org_id = $1 and workflow_id = $2
  group by node;

select coalesce(sum("step"), 0) as "begun", coalesce(sum("forgotten"), 0) as "forgotten"
  from "workflow_run_counts"
  where "org_id" = $1 and "workflow_id" = $2;

commit;
