-- list_webinars: 5 statements, 10 buffers
-- organizations 3, webinars 7

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
  from "webinars" as "t"
  where "t"."org_id" = $1;

select "id", "title", "start_time", "timezone", "duration_minutes", "join_url", "provider", "status", "automation_id", "created_at", "updated_at"
  from "webinars" as "t"
  where "t"."org_id" = $1
  order by "t"."start_time" desc, "t"."id" desc
  limit $2 offset $3;

commit;
