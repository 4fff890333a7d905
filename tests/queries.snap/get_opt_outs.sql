-- get_opt_outs: 5 statements, 7 buffers
-- opt_outs 1, organizations 3, people 3

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id"
  from "people"
  where "org_id" = $1 and "id" = $2;

select "email_opt_out", "sms_opt_out"
  from "opt_outs"
  where "org_id" = $1 and "person_id" = $2;

commit;
