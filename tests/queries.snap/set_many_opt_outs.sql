-- set_many_opt_outs: 6 statements, 30 buffers
-- audit_log 7, opt_outs 7, organizations 6, people 10

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id"
  from "people"
  where "org_id" = $1 and "id" = any($2::uuid[])
  order by "id" for update;

with those as materialized ( select p.id, coalesce(o."email_opt_out", false) as was, o."email_out_by" is not null as by_link
  from unnest($1::uuid[]) p(id)
  left join opt_outs o on o.org_id = $2 and o.person_id = p.id ), written as ( insert into opt_outs (org_id, person_id, "email_opt_out", "sms_opt_out", updated_at) select $3, id, $4, false, $5
  from those
  where was <> $6 or by_link
  on conflict (org_id, person_id) do update set "email_opt_out" = excluded."email_opt_out", "email_out_by" = null, updated_at = excluded.updated_at ) select id
  from those
  where was <> $7
  order by id;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
