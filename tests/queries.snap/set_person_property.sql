-- set_person_property: 8 statements, 50 buffers
-- audit_log 7, organizations 6, people 5, property_configs 8, property_page_0 6, property_values 18

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

select *
  from "property_configs"
  where "org_id" = $1 and "key" in ($2);

insert into "property_values" ("org_id", "person_id", "config_id", "text_value", "number_value", "boolean_value", "changed_by", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict ("org_id", "person_id", "config_id") do update set "text_value" = $9, "number_value" = $10, "boolean_value" = $11, "changed_by" = $12;

select "c"."key", "v"."text_value", "v"."number_value", "v"."boolean_value", "v"."config_id", "v"."created_at"
  from "property_values" as "v"
  inner join "property_configs" as "c" on "c"."org_id" = "v"."org_id" and "c"."id" = "v"."config_id"
  where "v"."org_id" = $1 and "v"."person_id" = $2 and "v"."config_id" = $3
  order by "c"."key";

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
