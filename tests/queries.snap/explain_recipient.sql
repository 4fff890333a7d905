-- explain_recipient: 8 statements, 83 buffers
-- broadcasts 3, deliveries 67, organizations 3, people 6, segments 4

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

select *
  from "broadcasts"
  where "org_id" = $1 and "id" = $2 and "workflow_id" is null;

select *
  from "deliveries"
  where "org_id" = $1 and "person_id" = $2 and "broadcast_id" = $3
  order by "twin" asc nulls first;

select *
  from "segments"
  where "org_id" = $1 and "id" = $2;

select case when case when people.primary_contact_method = 'email' then people.primary_email else people.other_email end is null then 'no_address' when o.person_id is not null then 'opted_out' else x.reason end as "excluded", case when people.primary_contact_method = 'email' then people.primary_email else people.other_email end as "address"
  from "people"
  left join "opt_outs" as "o" on "o"."org_id" = $1 and "o"."person_id" = "people"."id" and "o"."email_opt_out" = $2
  left join "email_blacklist" as "x" on "x"."org_id" = $3 and "x"."person_id" = "people"."id" and "x"."email" = case when people.primary_contact_method = 'email' then people.primary_email else people.other_email end
  where "people"."org_id" = $4 and coalesce(people.primary_email, people.other_email) is not null and "people"."id" = $5;

commit;
