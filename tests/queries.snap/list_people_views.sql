-- list_people_views: 4 statements, 4 buffers
-- organizations 3, people_views 1

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
  from "people_views"
  where "org_id" = $1
  order by "id"
  limit $2;

commit;
