-- update_settings: 6 statements, 22 buffers
-- audit_log 7, organizations 15

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

update "organizations" set "name" = $1, "timezone" = $2, "two_key_sending" = $3, "hold_if_audience_changes_by" = $4, "default_country" = $5, "history_months" = $6, "test_recipients" = $7
  where "id" = $8;

select "name", "timezone", "two_key_sending", "hold_if_audience_changes_by", "default_country", "test_recipients", "history_months"
  from "organizations"
  where "id" = $1;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
