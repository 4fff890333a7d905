-- list_person_registrations: 6 statements, 20 buffers
-- organizations 3, people 3, registrations 10, webinars 4

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

select count(*) as "total"
  from "registrations" as "r"
  inner join "webinars" as "w" on "w"."org_id" = "r"."org_id" and "w"."id" = "r"."webinar_id"
  where "r"."org_id" = $1 and "r"."person_id" = $2;

select "r"."id", "r"."person_id", "r"."registered_at", "r"."attended", "r"."attendance_source", "r"."attendance_at", "r"."join_url", "w"."id" as "webinar_id", "w"."title", "w"."start_time", "w"."status"
  from "registrations" as "r"
  inner join "webinars" as "w" on "w"."org_id" = "r"."org_id" and "w"."id" = "r"."webinar_id"
  where "r"."org_id" = $1 and "r"."person_id" = $2
  order by "r"."registered_at" desc, "r"."id" desc
  limit $3 offset $4;

commit;
