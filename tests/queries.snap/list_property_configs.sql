-- list_property_configs: 4 statements, 4 buffers
-- organizations 3, property_configs 1

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
  from "property_configs"
  where "org_id" = $1
  order by "created_at", "id";

commit;
