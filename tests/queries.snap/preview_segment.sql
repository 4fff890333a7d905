-- preview_segment: 7 statements, 6 buffers
-- organizations 3, people 2, people_counts 1

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

set local enable_nestloop = off;

select count(*) as "count", count(*) filter (where case when people.primary_contact_method = 'email' then people.primary_email else people.other_email end is not null and o.person_id is null and b.person_id is null) as "reachable"
  from "people"
  left join "opt_outs" as "o" on "o"."org_id" = $1 and "o"."person_id" = "people"."id" and "o"."email_opt_out" = $2
  left join "email_blacklist" as "b" on "b"."org_id" = $3 and "b"."person_id" = "people"."id" and "b"."email" = case when people.primary_contact_method = 'email' then people.primary_email else people.other_email end
  where "people"."org_id" = $4 and "people"."first_name" = $5;

set local enable_nestloop = on;

select (select coalesce(sum(step), 0)::bigint
  from people_counts
  where org_id = $1) as total;

commit;
