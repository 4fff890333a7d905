-- create_api_key: 8 statements, 22 buffers
-- api_keys 6, audit_log 7, members 1, organizations 8

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "role"
  from "members"
  where "org_id" = $1 and "id" = $2;

select count(*) as "count"
  from "api_keys"
  where "org_id" = $1 and "revoked_at" is null and ("expires_at" is null or "expires_at" > $2);

insert into "api_keys" ("org_id", "id", "name", "prefix", "secret_hash", "permissions", "created_at", "created_by", "expires_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9);

select "id", "name", "prefix", "permissions", "created_at", "created_by", "expires_at", "last_used_at", "revoked_at"
  from "api_keys"
  where "org_id" = $1 and "id" = $2;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
