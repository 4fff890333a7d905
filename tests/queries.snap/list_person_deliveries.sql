-- list_person_deliveries: 6 statements, 155 buffers
-- broadcasts 12, deliveries 137, organizations 3, people 3

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id"
  from "people"
  where "org_id" = $1 and "id" = $2;

select count(*) as "total"
  from "deliveries" as "d"
  inner join "broadcasts" as "b" on "b"."org_id" = "d"."org_id" and "b"."id" = "d"."broadcast_id"
  where "d"."org_id" = $1 and "d"."person_id" = $2;

select "d"."person_id", "d"."state", "d"."reason", "d"."due_at", "d"."address", "d"."sent_at", "d"."delivered_at", "d"."opened_at", "d"."clicked_at", "d"."replied_at", "d"."bounced_at", "d"."complained_at", "d"."unsubscribed_at", "b"."id", "b"."workflow_id", "b"."node", "b"."webinar_id", "b"."channel", "b"."subject"
  from "deliveries" as "d"
  inner join "broadcasts" as "b" on "b"."org_id" = "d"."org_id" and "b"."id" = "d"."broadcast_id"
  where "d"."org_id" = $1 and "d"."person_id" = $2
  order by "d"."id" desc
  limit $3 offset $4;

commit;
