-- mend_import_row: 9 statements, 36 buffers
-- audit_log 7, import_failures 2, import_parts 8, imports 13, organizations 6

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

delete from "import_failures"
  where "org_id" = $1 and "import_id" = $2 and "outcome" = $3 and "row" = $4;

delete from "import_parts"
  where "org_id" = $1 and "import_id" = $2 and "first_row" <= $3 and "last_row" >= $4
  returning "first_row", "last_row", "rows";

insert into "import_parts" ("org_id", "import_id", "first_row", "last_row", "rows")
  values ($1, $2, $3, $4, $5);

update "imports" set "revision" = $1, "staged_rows" = $2, "rejected_rows" = $3
  where "org_id" = $4 and "id" = $5;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
