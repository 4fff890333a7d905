-- save_people_view: 8 statements, 23 buffers
-- audit_log 7, organizations 6, people_views 6, segments 4

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select *
  from "segments"
  where "org_id" = $1 and "id" = $2;

select pg_advisory_xact_lock($1, hashtext($2));

select count(*) as "views", count(*) filter(where lower(name) = lower($1)) as "same"
  from "people_views"
  where "org_id" = $2;

insert into "people_views" ("org_id", "id", "created_at", "name", "shows", "updated_at")
  values ($1, $2, $3, $4, $5, $6)
  on conflict (org_id, lower(name)) do update set "name" = $7, "shows" = $8, "updated_at" = $9
  returning *;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
