-- list_members: 5 statements, 4 buffers
-- members 2, organizations 2

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select count(*) as "total"
  from "members"
  where "org_id" = $1;

select "id", "email", "role", "since"
  from "members"
  where "org_id" = $1
  order by "email", "id"
  limit $2 offset $3;

commit;
