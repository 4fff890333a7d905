-- update_registration_page: 8 statements, 24 buffers
-- audit_log 7, organizations 6, property_configs 1, registration_pages 7, webinars 3

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

select *
  from "property_configs"
  where "org_id" = $1 and "key" in ($2);

select *
  from "registration_pages"
  where "org_id" = $1 and "webinar_id" = $2 for update;

insert into "registration_pages" ("org_id", "webinar_id", "created_at", "slug", "published", "description", "fields", "consent_text", "frame_origins", "updated_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict ("org_id", "webinar_id") do update set "slug" = $11, "published" = $12, "description" = $13, "fields" = $14, "consent_text" = $15, "frame_origins" = $16, "updated_at" = $17, "revision" = "registration_pages"."revision" + $18
  where "registration_pages"."revision" <= $19
  returning *;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
