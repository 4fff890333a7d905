-- update_segment: 9 statements, 37 buffers
-- audit_log 7, broadcasts 3, organizations 6, property_configs 2, segments 19

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select *
  from "segments"
  where "org_id" = $1 and "id" = $2 for update;

select *
  from "property_configs"
  where "org_id" = $1 and "key" in ($2);

update "segments" set "name" = $1, "description" = $2, "color" = $3, "filters" = $4, "updated_at" = $5
  where "org_id" = $6 and "id" = $7
  returning *;

select *
  from "property_configs"
  where "org_id" = $1 and "key" in ($2);

select s.segment_id, b.id, b.subject
  from unnest($1::uuid[]) s(segment_id), lateral ( select id, subject
  from broadcasts
  where org_id = $2 and segment_id = s.segment_id and status in ('draft', 'scheduled', 'sending')
  order by created_at desc, id desc
  limit $3) b;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
