-- create_segment: 7 statements, 25 buffers
-- audit_log 7, organizations 9, people 2, property_configs 1, segments 6

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select *
  from "property_configs"
  where "org_id" = $1 and "key" in ($2);

insert into "segments" ("org_id", "id", "name", "description", "color", "filters", "created_at", "updated_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  returning *;

select count(*) as "total"
  from "people"
  inner join (select "p"."person_id"
  from "property_pages" as "p"
  where "p"."org_id" = $1 and "p"."page" = $2 and "p"."t0" = $3) as "page_0" on "page_0"."person_id" = "people"."id"
  where "people"."org_id" = $4 and "people"."first_name" = $5;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
