-- unlink_webinar: 7 statements, 15 buffers
-- audit_log 4, organizations 4, platform_links 2, registrations 2, webinars 3

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id", "title", "status", "start_time", "timezone", "duration_minutes", "join_url"
  from "webinars"
  where "org_id" = $1 and "id" = $2;

delete from "platform_links"
  where "org_id" = $1 and "webinar_id" = $2;

update registrations set push_state = null, push_next_at = null, push_error = null, push_link = null
  where org_id = $1 and webinar_id = $2 and push_next_at is not null;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

commit;
