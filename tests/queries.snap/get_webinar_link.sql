-- get_webinar_link: 6 statements, 25 buffers
-- organizations 3, platform_connections 1, platform_links 1, registrations 17, webinars 3

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id", "title", "status", "start_time", "timezone", "duration_minutes", "join_url"
  from "webinars"
  where "org_id" = $1 and "id" = $2;

select "l".*, "c"."platform"
  from "platform_links" as "l"
  inner join "platform_connections" as "c" on "c"."org_id" = "l"."org_id" and "c"."id" = "l"."connection_id"
  where "l"."org_id" = $1 and "l"."webinar_id" = $2;

select count(*) filter (where push_state = 'pending' or push_link is distinct
  from $1) as pending, count(*) filter (where push_state = 'registered' and push_link = $2) as registered, count(*) filter (where push_state = 'refused' and push_link = $3) as refused
  from registrations
  where org_id = $4 and webinar_id = $5;

commit;
