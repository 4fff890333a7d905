-- invite_member: 11 statements, 30 buffers
-- audit_log 7, invitations 12, members 3, organizations 8

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "role"
  from "members"
  where "org_id" = $1 and "id" = $2;

select "id"
  from "members"
  where "org_id" = $1 and "email" = $2;

select "sent_at"
  from "invitations"
  where "org_id" = $1 and "email" = $2;

select count(*) as "count"
  from "invitations"
  where "org_id" = $1 and "ends_at" > $2;

delete from "invitations"
  where "org_id" = $1 and "ends_at" <= $2 and "sent_at" <= $3;

insert into "invitations" ("org_id", "id", "email", "role", "invited_by", "sent_at", "ends_at", "token_hash")
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict ("org_id", "email") do update set "id" = $9, "email" = $10, "role" = $11, "invited_by" = $12, "sent_at" = $13, "ends_at" = $14, "token_hash" = $15;

select "email"
  from "members"
  where "org_id" = $1 and "id" = $2;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
