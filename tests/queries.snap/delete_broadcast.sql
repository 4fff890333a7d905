-- delete_broadcast: 7 statements, 189 buffers
-- audit_log 7, broadcast_links 2, broadcast_reasons 2, broadcast_tallies 2, broadcasts 15, deliveries 149, delivery_lanes 2, delivery_windows 2, organizations 6, test_sends 2

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select *
  from "broadcasts"
  where "org_id" = $1 and "id" = $2 and "workflow_id" is null for update;

delete from "deliveries"
  where "org_id" = $1 and "broadcast_id" = $2;

delete from "broadcasts"
  where "org_id" = $1 and "id" = $2;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
