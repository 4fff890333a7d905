-- list_person_events: 6 statements, 25 buffers
-- events 20, organizations 2, people 3

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id"
  from "people"
  where "org_id" = $1 and "id" = $2;

select count(*) as "total"
  from "events"
  where "org_id" = $1 and "person_id" = $2;

select "id", "name", "custom_properties", "occurred_at", "created_at"
  from "events"
  where "org_id" = $1 and "person_id" = $2
  order by "occurred_at" desc, "id" desc
  limit $3 offset $4;

commit;
