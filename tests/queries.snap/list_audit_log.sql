-- list_audit_log: 4 statements, 13 buffers
-- audit_log 11, organizations 2

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select id, at, operation, actor_kind, actor_id, connection_id, face, host(address) as address, ids, reason, request_id, ($1::text is null or actor_id = $2) and ($3::text is null or operation = $4) as matches
  from audit_log
  where org_id = $5 and true and id < $6 and id >= $7
  order by id desc
  limit $8;

commit;
