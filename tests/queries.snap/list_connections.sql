-- list_connections: 5 statements, 6 buffers
-- connections 2, members 2, organizations 2

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
  from "connections" as "c"
  inner join "members" as "m" on "m"."org_id" = "c"."org_id" and "m"."id" = "c"."user_id"
  where "c"."org_id" = $1 and "c"."ends_at" > $2;

select "c"."id", "c"."user_id", "m"."email", "c"."client_name", "c"."client_host", "c"."redirect_host", "c"."permissions", "c"."created_at", "c"."granted_at", "c"."ends_at", "c"."last_used_at"
  from "connections" as "c"
  inner join "members" as "m" on "m"."org_id" = "c"."org_id" and "m"."id" = "c"."user_id"
  where "c"."org_id" = $1 and "c"."ends_at" > $2
  order by "c"."granted_at" desc, "c"."id" desc
  limit $3 offset $4;

commit;
