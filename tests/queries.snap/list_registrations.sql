-- list_registrations: 6 statements, 26 buffers
-- organizations 1, registrations 22, webinars 3

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id", "title", "status", "start_time", "timezone", "duration_minutes", "join_url"
  from "webinars"
  where "org_id" = $1 and "id" = $2;

select count(*) as "total"
  from "registrations"
  where "org_id" = $1 and "webinar_id" = $2;

select "id", "person_id", "registered_at", "attended", "attendance_source", "attendance_at", "join_url"
  from "registrations"
  where "org_id" = $1 and "webinar_id" = $2
  order by "registered_at" desc, "id" desc
  limit $3 offset $4;

commit;
