-- preview_reschedule: 6 statements, 47 buffers
-- broadcasts 8, organizations 3, waits 22, webinars 6, workflow_versions 1, workflows 7

begin isolation level repeatable read read only;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
set local work_mem = '32MB';
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id", "title", "status", "start_time", "timezone", "duration_minutes", "join_url"
  from "webinars"
  where "org_id" = $1 and "id" = $2;

with grouped as materialized ( select w.workflow_id, w.version, w.node, w.anchor, w.offset_ms, count(*) as count
  from waits w
  where w.org_id = $1 and w.clock_id = $2 and w.anchor is not null
  group by 1, 2, 3, 4, 5 ), timed as ( select g.*, (case g.anchor when 'start' then t.start_time else t.start_time + coalesce(t.duration_minutes, 60) * interval '1 minute' end) + g.offset_ms * interval '1 millisecond' as "from"
  from grouped g
  join webinars t on t.org_id = $3 and t.id = $4 ), moved as ( select d.*, d."from" + $5 * interval '1 millisecond' as "to"
  from timed d ), counted as ( select m.*, m."to" < $6 as past, count(*) over () as all_groups, sum(m.count) over ()::bigint as all_waits, (coalesce(sum(m.count) filter (where m."to" < $7) over (), 0))::bigint as all_past
  from moved m
  order by m."to", m.workflow_id, m.version, m.node, m.anchor
  limit $8 ) select c.*, f.name as workflow_name, v.graph -> 'nodes' -> c.node -> 'past' is distinct
  from v.graph -> 'nodes' -> c.node -> 'next' as "hasPastEdge"
  from counted c
  join workflows f on f.org_id = $9 and f.id = c.workflow_id
  left join workflow_versions v on v.org_id = $10 and v.workflow_id = c.workflow_id and v.version = c.version
  order by c."to", c.workflow_id, c.version, c.node, c.anchor;

select "id", "channel", "subject", "send_at"
  from "broadcasts"
  where "org_id" = $1 and "webinar_id" = $2 and "audience" = $3 and "status" = $4 and "webinar_offset_minutes" is not null
  order by "send_at", "id"
  limit $5;

commit;
