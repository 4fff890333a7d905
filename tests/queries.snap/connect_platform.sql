-- connect_platform: 7 statements, 19 buffers
-- audit_log 7, organizations 6, platform_connections 6

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select pg_advisory_xact_lock($1, hashtext($2));

select "id", "platform", "account_id"
  from "platform_connections"
  where "org_id" = $1;

insert into "platform_connections" ("org_id", "id", "platform", "account_id", "created_at", "details", "secrets", "trouble", "trouble_at", "updated_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict ("org_id", "id") do update set "details" = $11, "secrets" = $12, "trouble" = $13, "trouble_at" = $14, "updated_at" = $15
  returning "id", "platform", "account_id", "details", "trouble", "trouble_at", "created_at", "updated_at";

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
