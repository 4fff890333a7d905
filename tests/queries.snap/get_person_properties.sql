-- get_person_properties: 5 statements, 10 buffers
-- organizations 3, people 3, property_configs 1, property_values 3

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

select "c"."key", "v"."text_value", "v"."number_value", "v"."boolean_value", "v"."config_id", "v"."created_at"
  from "property_values" as "v"
  inner join "property_configs" as "c" on "c"."org_id" = "v"."org_id" and "c"."id" = "v"."config_id"
  where "v"."org_id" = $1 and "v"."person_id" = $2
  order by "c"."key";

commit;
