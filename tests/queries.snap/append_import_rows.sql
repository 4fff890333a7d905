-- append_import_rows: 7 statements, 30 buffers
-- audit_log 7, import_parts 4, imports 13, organizations 6

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select *
  from "imports"
  where "org_id" = $1 and "id" = $2 for update skip locked;

insert into "import_parts" ("org_id", "import_id", "first_row", "last_row", "rows")
  values ($1, $2, $3, $4, $5);

update "imports" set "revision" = $1, "last_row" = $2, "staged_rows" = $3, "rejected_rows" = $4
  where "org_id" = $5 and "id" = $6;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
