-- change_member_role: 6 statements, 19 buffers
-- audit_log 7, members 7, organizations 5

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id", "email", "role", "since"
  from "members"
  where "org_id" = $1 and ("role" = $2 or "id" in ($3, $4))
  order by "id" for update;

update "members" set "role" = $1
  where "org_id" = $2 and "id" = $3;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
