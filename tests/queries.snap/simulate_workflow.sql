-- simulate_workflow: 7 statements, 24 buffers
-- organizations 3, registrations 12, webinars 6, workflows 3

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

select "id", "title", "status", "start_time", "timezone", "duration_minutes", "join_url"
  from "webinars"
  where "org_id" = $1 and "id" = $2;

select "person_id"
  from "registrations"
  where "org_id" = $1 and "webinar_id" = $2
  order by "person_id"
  limit $3;

select t.start_time as start, t.start_time + coalesce(t.duration_minutes, 60) * interval '1 minute' as end, t.moved_at as "movedAt", t.status = 'canceled' as "isCanceled"
  from webinars t
  where t.org_id = $1 and t.id = $2;

commit;
