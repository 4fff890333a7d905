-- revoke_api_key: 7 statements, 18 buffers
-- api_keys 5, audit_log 7, members 1, organizations 5

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

update "api_keys" set "revoked_at" = $1
  where "org_id" = $2 and "id" = $3 and "revoked_at" is null;

select "id", "name", "prefix", "permissions", "created_at", "created_by", "expires_at", "last_used_at", "revoked_at"
  from "api_keys"
  where "org_id" = $1 and "id" = $2;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
