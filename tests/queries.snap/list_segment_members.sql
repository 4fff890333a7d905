-- list_segment_members: 6 statements, 2075 buffers
-- organizations 3, people 2067, people_counts 1, segments 4

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select *
  from "segments"
  where "org_id" = $1 and "id" = $2;

select count(*) as "total", (select coalesce(sum(step), 0)::bigint
  from people_counts
  where org_id = $1) as "everybody"
  from "people"
  where "people"."org_id" = $2 and "people"."primary_email" is not null;

select people.id, people.first_name, people.last_name, people.primary_email, people.primary_phone, people.external_user_id, people.subscription_status, people.payment_processor, people.mrr, people.ltv, people.created_at
  from people
  where org_id = $1 and id = any(array((select "people"."id"
  from "people"
  where "people"."org_id" = $2 and "people"."primary_email" is not null)))
  order by created_at desc, id desc
  limit $3 offset $4;

commit;
