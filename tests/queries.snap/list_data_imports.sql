-- list_data_imports: 4 statements, 16 buffers
-- imports 13, organizations 3

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id", "status", "file_name", "created_at", "staged_rows", "succeeded", "failed"
  from "imports"
  where "org_id" = $1
  order by "created_at" desc, "id" desc
  limit $2;

commit;
