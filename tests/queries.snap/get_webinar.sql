-- get_webinar: 4 statements, 6 buffers
-- organizations 3, webinars 3

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id", "title", "start_time", "timezone", "duration_minutes", "join_url", "provider", "status", "automation_id", "created_at", "updated_at"
  from "webinars"
  where "org_id" = $1 and "id" = $2;

commit;
