-- create_import: 6 statements, 25 buffers
-- audit_log 7, imports 8, organizations 9, property_configs 1

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

insert into "imports" ("org_id", "id", "name", "file_name", "source", "columns", "sample_rows", "status", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9);

select "id", "key", "name", "type"
  from "property_configs"
  where "org_id" = $1
  order by "created_at", "id";

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
