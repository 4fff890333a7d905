-- set_sms_number: 8 statements, 28 buffers
-- audit_log 7, organizations 6, sms_numbers 15

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "number", "proven_at"
  from "sms_numbers"
  where "org_id" = $1;

select gate.number_is_taken($1) as taken;

insert into "sms_numbers" ("org_id", "number", "created_at")
  values ($1, $2, $3)
  on conflict ("org_id") do update set "number" = $4, "created_at" = $5, "proven_at" = $6;

select "number", "proven_at"
  from "sms_numbers"
  where "org_id" = $1;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
