-- set_opt_outs: 7 statements, 24 buffers
-- audit_log 7, opt_outs 6, organizations 6, people 5

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

select "email_opt_out", "sms_opt_out"
  from "opt_outs"
  where "org_id" = $1 and "person_id" = $2;

insert into "opt_outs" ("org_id", "person_id", "email_opt_out", "sms_opt_out", "email_out_by", "sms_out_by", "updated_at")
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict ("org_id", "person_id") do update set "email_opt_out" = $8, "sms_opt_out" = $9, "email_out_by" = $10, "sms_out_by" = $11, "updated_at" = $12;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
