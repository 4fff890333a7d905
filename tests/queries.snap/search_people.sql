-- search_people: 4 statements, 118 buffers
-- identifiers 55, organizations 3, people 60

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id", "first_name", "last_name", "primary_email", "primary_phone", "external_user_id", "subscription_status", "payment_processor", "mrr", "ltv", "created_at"
  from "people"
  where "org_id" = $1 and "id" in (select gate.search_people($2, $3));

commit;
