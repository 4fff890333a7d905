-- reschedule_webinar: 11 statements, 54 buffers
-- audit_log 7, organizations 6, platform_links 10, wait_clocks 1, waits 8, webinars 22

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id", "title", "status", "start_time", "timezone", "duration_minutes", "join_url"
  from "webinars"
  where "org_id" = $1 and "id" = $2;

select pg_advisory_xact_lock(hashtextextended($1, 0));

select *
  from "webinars"
  where "org_id" = $1 and "id" = $2 for no key update;

update "webinars" set "start_time" = $1, "updated_at" = $2, "revision" = $3
  where "org_id" = $4 and "id" = $5
  returning *;

update wait_clocks set next_at = coalesce(date_trunc('milliseconds', least( ( select t.canceled_at
  from webinars t
  where t.org_id = $1 and t.id = $2 and t.canceled_at is not null and (exists (select 1
  from waits w
  where w.org_id = $3 and w.clock_id = $4 and w.anchor is null) or exists (select 1
  from waits w
  where w.org_id = $5 and w.clock_id = $6 and w.anchor is not null))), (select w.due_at
  from waits w
  where w.org_id = $7 and w.clock_id = $8 and not w.held and w.anchor is null
  order by w.due_at
  limit 1), ( select t.start_time + w.offset_ms * interval '1 millisecond'
  from (select w.offset_ms
  from waits w
  where w.org_id = $9 and w.clock_id = $10 and not w.held and w.anchor = $11
  order by w.offset_ms
  limit 1) w
  join webinars t on t.org_id = $12 and t.id = $13), ( select t.start_time + coalesce(t.duration_minutes, 60) * interval '1 minute' + w.offset_ms * interval '1 millisecond'
  from (select w.offset_ms
  from waits w
  where w.org_id = $14 and w.clock_id = $15 and not w.held and w.anchor = $16
  order by w.offset_ms
  limit 1) w
  join webinars t on t.org_id = $17 and t.id = $18))), 'infinity')
  where org_id = $19 and id = $20 and busy_by is null
  returning nullif(next_at, 'infinity') as at;

update platform_links l set sync_ticket = sync_ticket + 1, sync_tries = 0, sync_at = case when t.status <> 'canceled' then t.start_time + coalesce(t.duration_minutes, 60) * interval '1 minute' + $1 * interval '1 millisecond' end
  from webinars t
  where l.org_id = $2 and l.webinar_id = $3 and t.org_id = l.org_id and t.id = l.webinar_id;

select count(*) as "count"
  from "waits"
  where "org_id" = $1 and "clock_id" = $2 and "anchor" is not null;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
