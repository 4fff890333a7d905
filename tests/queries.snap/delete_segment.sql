-- delete_segment: 7 statements, 41 buffers
-- audit_log 7, broadcasts 16, organizations 6, segments 12

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select *
  from "segments"
  where "org_id" = $1 and "id" = $2 for update;

select "id"
  from "broadcasts"
  where "org_id" = $1 and "segment_id" = $2 and "workflow_id" is null and "status" in ($3, $4)
  limit $5;

delete from "segments"
  where "org_id" = $1 and "id" = $2;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
