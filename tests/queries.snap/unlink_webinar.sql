-- unlink_webinar: 7 statements, 21 buffers
-- audit_log 7, organizations 6, platform_links 2, registrations 3, webinars 3

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id", "title", "status", "start_time", "timezone", "duration_minutes", "join_url"
  from "webinars"
  where "org_id" = $1 and "id" = $2;

delete from "platform_links"
  where "org_id" = $1 and "webinar_id" = $2;

with held as ( select id
  from registrations
  where org_id = $1 and webinar_id = $2 and push_next_at is not null
  order by id for no key update) update registrations r set push_state = null, push_next_at = null, push_error = null, push_link = null
  from held
  where r.org_id = $3 and r.id = held.id;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
