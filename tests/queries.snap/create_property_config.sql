-- create_property_config: 8 statements, 29 buffers
-- audit_log 7, organizations 9, property_configs 11, property_removals 2

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select pg_advisory_xact_lock($1, hashtext($2));

select count(*) as "count"
  from "property_configs"
  where "org_id" = $1;

select count(*) as "count"
  from "property_removals"
  where "org_id" = $1;

insert into "property_configs" ("org_id", "id", "key", "name", "description", "type", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict ("org_id", "key") do nothing
  returning *;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
