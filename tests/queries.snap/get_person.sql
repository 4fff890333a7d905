-- get_person: 4 statements, 17 buffers
-- identifiers 3, organizations 3, people 3, property_configs 1, property_values 7

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select *, coalesce(( select json_object_agg(c.key, json_build_object('value', coalesce(to_json(v.text_value), to_json(v.number_value), to_json(v.boolean_value)), 'name', c.name, 'type', c.type))
  from property_values v
  join property_configs c on c.org_id = v.org_id and c.id = v.config_id
  where v.org_id = p.org_id and v.person_id = p.id), '{}') as "custom_properties", coalesce(( select json_agg(json_build_object('type', i.type, 'value', coalesce(i.typed, i.value), 'is_primary', i.is_primary_for_type)
  order by i.created_at, i.id)
  from identifiers i
  where i.org_id = p.org_id and i.person_id = p.id and i.is_contact_method), '[]') as "contact_methods"
  from "people" as "p"
  where "p"."org_id" = $1 and "p"."id" = $2;

commit;
