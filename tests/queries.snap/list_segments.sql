-- list_segments: 7 statements, 173 buffers
-- broadcasts 158, organizations 3, segments 12

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select count(*) as "total"
  from "segments"
  where "org_id" = $1;

select octet_length(filters::text) as "bytes"
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "id" desc
  limit $2 offset $3;

select *
  from "segments"
  where "org_id" = $1
  order by "created_at" desc, "id" desc
  limit $2 offset $3;

select s.segment_id, b.id, b.subject
  from unnest($1::uuid[]) s(segment_id), lateral ( select id, subject
  from broadcasts
  where org_id = $2 and segment_id = s.segment_id and status in ('draft', 'scheduled', 'sending')
  order by created_at desc, id desc
  limit $3) b;

commit;
