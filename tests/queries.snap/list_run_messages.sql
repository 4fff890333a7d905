-- list_run_messages: 5 statements, 78 buffers
-- broadcasts 2, deliveries 69, organizations 3, workflow_runs 4

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "person_id"
  from "workflow_runs"
  where "org_id" = $1 and "id" = $2;

select "d".*, "b"."node", "b"."channel", "b"."subject", "b"."status"
  from "deliveries" as "d"
  inner join "broadcasts" as "b" on "b"."org_id" = "d"."org_id" and "b"."id" = "d"."broadcast_id"
  where "d"."org_id" = $1 and "d"."person_id" = $2 and "d"."run_id" = $3
  order by "d"."id"
  limit $4;

commit;
