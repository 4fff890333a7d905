-- list_senders: 5 statements, 7 buffers
-- organizations 3, senders 1, sending_domains 1, sms_numbers 2

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "s"."id", "s"."name", "s"."email", "s"."reply_to", "d"."domain", "d"."ownership_token", "d"."dkim_selector", "d"."dkim_public_key", "d"."records", "d"."verified_at"
  from "senders" as "s"
  inner join "sending_domains" as "d" on "d"."org_id" = "s"."org_id" and "d"."id" = "s"."domain_id"
  where "s"."org_id" = $1
  order by "s"."created_at", "s"."id";

select "number", "proven_at"
  from "sms_numbers"
  where "org_id" = $1;

commit;
