-- get_me: 5 statements, 5 buffers
-- api_keys 1, organizations 4

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "name"
  from "organizations"
  where "id" = $1;

select "id" as "api_key_id", "name"
  from "api_keys"
  where "org_id" = $1 and "id" = $2;

commit;
