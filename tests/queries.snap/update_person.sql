-- update_person: 6 statements, 43 buffers
-- audit_log 7, organizations 6, people 30

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "first_name", "last_name", "updated_at"
  from "people"
  where "org_id" = $1 and "id" = any($2::uuid[])
  order by "id" for update;

update "people" set "first_name" = $1, "last_name" = $2, "updated_at" = $3
  where "org_id" = $4 and "id" = $5;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
