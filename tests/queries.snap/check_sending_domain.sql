-- check_sending_domain: 7 statements, 26 buffers
-- audit_log 7, organizations 9, outbox 4, sending_domains 6

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id", "domain", "ownership_token", "dkim_selector", "dkim_public_key", "records", "verified_at", "checked_at", "next_check_at", "created_at"
  from "sending_domains"
  where "org_id" = $1 and "id" = $2 for update;

update "sending_domains" set "next_check_at" = $1
  where "org_id" = $2 and "id" = $3;

insert into "outbox" ("org_id", "service", "handler", "payload", "created_at")
  values ($1, $2, $3, $4, $5);

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
