-- update_sender: 6 statements, 19 buffers
-- audit_log 7, organizations 6, senders 5, sending_domains 1

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

update "senders" set "name" = $1, "reply_to" = $2, "updated_at" = $3
  where "org_id" = $4 and "id" = $5;

select "s"."id", "s"."name", "s"."email", "s"."reply_to", "d"."domain", "d"."ownership_token", "d"."dkim_selector", "d"."dkim_public_key", "d"."records", "d"."verified_at"
  from "senders" as "s"
  inner join "sending_domains" as "d" on "d"."org_id" = "s"."org_id" and "d"."id" = "s"."domain_id"
  where "s"."org_id" = $1 and "s"."id" = $2
  order by "s"."created_at", "s"."id";

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
