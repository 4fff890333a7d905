-- list_people: 5 statements, 111 buffers
-- organizations 3, people 107, people_counts 1

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select (select coalesce(sum(step), 0)::bigint
  from people_counts
  where org_id = $1) as total;

select people.id, people.first_name, people.last_name, people.primary_email, people.primary_phone, people.external_user_id, people.subscription_status, people.payment_processor, people.mrr, people.ltv, people.created_at
  from people
  where people.org_id = $1 and people.id = any(array((select "people"."id"
  from "people"
  where "people"."org_id" = $2
  order by "people"."created_at" desc, "people"."id" desc
  limit $3 offset $4)))
  order by "people"."created_at" desc, people.id desc;

commit;
