-- explain_engagement: 5 statements, 75 buffers
-- deliveries 69, organizations 3, people 3

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "engagement"
  from "people"
  where "org_id" = $1 and "id" = $2;

select w.action, w.weight, count(*) as times, max(did.at) as last_at, sum_engagement(engagement_of(w.weight, did.at)) as sum
  from deliveries d
  cross join lateral (values ('open', d.opened_at), ('click', d.clicked_at), ('reply', d.replied_at)) did(action, at)
  join unnest($1::text[], $2::double precision[]) w(action, weight) using (action)
  where d.org_id = $3 and d.person_id = $4 and did.at is not null
  group by w.action, w.weight
  order by w.weight desc;

commit;
