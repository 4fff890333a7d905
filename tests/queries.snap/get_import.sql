-- get_import: 5 statements, 6 buffers
-- import_failures 1, imports 2, organizations 3

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
  from "imports"
  where "org_id" = $1 and "id" = $2;

select "row", "code", "reason"
  from "import_failures"
  where "org_id" = $1 and "import_id" = $2 and "outcome" = $3
  order by "row"
  limit $4 offset $5;

commit;
