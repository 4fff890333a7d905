-- delete_person: 14 statements, 372 buffers
-- audit_log 7, broadcast_reasons 6, broadcasts 36, connection_invites 2, deliveries 158, delivery_queue 4, email_blacklist 2, events 7, idempotent_answers 2, identifiers 6, merged_people 1, named_events 1, opt_outs 2, organizations 14, people 42, people_counts 3, property_changes 1, property_page_0 4, property_page_1 1, property_values 17, purchases 1, registrations 10, signals 1, subscriptions 1, tasks 2, test_sends 1, waits 27, workflow_run_counts 3, workflow_runs 10

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id"
  from "people"
  where "org_id" = $1 and "id" = any($2::uuid[])
  order by "id" for update;

select "id"
  from "tasks"
  where "org_id" = $1 and "person_id" = $2
  limit $3;

select "id"
  from "connection_invites"
  where "org_id" = $1 and "person_id" = $2
  limit $3;

select "person_id"
  from "opt_outs"
  where "org_id" = $1 and "person_id" = $2 and ("email_opt_out" = $3 or "sms_opt_out" = $4);

select "id"
  from "email_blacklist"
  where "org_id" = $1 and "person_id" = $2
  limit $3;

select 1
  from broadcasts
  where org_id = $1 and status in ('scheduled', 'sending') and prepared_at is null
  order by id for key share;

with registered as materialized (select 1
  from registrations
  where org_id = $1 and person_id = any($2::uuid[])
  order by id for update), waiting as materialized ( select 1
  from waits
  where org_id = $3 and run_id = any(array(select id
  from workflow_runs
  where org_id = $4 and person_id = any($5::uuid[])))
  order by run_id for update), addressed as materialized (select broadcast_id
  from deliveries
  where org_id = $6 and person_id = any($7::uuid[])
  order by id for update), totals as materialized ( select 1
  from broadcasts
  where org_id = $8 and id in (select broadcast_id
  from addressed)
  order by id for no key update) select (select count(*)
  from registered), (select count(*)
  from waiting), (select count(*)
  from totals);

update deliveries d set person_id = null, twin = null, address = null, reply = null, history = '[]', state = case d.state when 'pending' then coalesce(d.former_state, 'skipped') else d.state end, reason = case when d.state <> 'pending' then d.reason when d.former_state is null then 'deleted' else d.former_reason end
  where d.org_id = $1 and d.person_id = $2;

update idempotent_answers set answer = 'null'
  where org_id = $1 and about <> '{}' and about && array( select $2::uuid
  union all select id
  from merged_people
  where org_id = $3 and survivor_id = $4);

delete from "people"
  where "org_id" = $1 and "id" = $2;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
