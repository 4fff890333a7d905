-- link_webinar: 16 statements, 90 buffers
-- audit_log 7, organizations 9, outbox 4, platform_connections 7, platform_links 28, registrations 20, webinars 15

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

select "platform"
  from "platform_connections"
  where "org_id" = $1 and "id" = $2 for key share;

select "id", "title", "status", "start_time", "timezone", "duration_minutes", "join_url"
  from "webinars"
  where "org_id" = $1 and "id" = $2;

select pg_advisory_xact_lock(hashtextextended($1, 0));

select *
  from "webinars"
  where "org_id" = $1 and "id" = $2 for no key update;

select "connection_id", "event_id"
  from "platform_links"
  where "org_id" = $1 and "webinar_id" = $2 for update;

insert into platform_links as l (org_id, webinar_id, id, connection_id, event_id, linked_at, push_after, push_ticket, sync_ticket)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (org_id, webinar_id) do update set id = excluded.id, push_after = excluded.push_after, connection_id = excluded.connection_id, event_id = excluded.event_id, linked_at = excluded.linked_at, push_ticket = l.push_ticket + 1, push_until = null, synced_at = null, sync_trouble = null, sync_strangers = 0;

with held as ( select id
  from registrations
  where org_id = $1 and webinar_id = $2 and push_next_at is not null
  order by id for no key update) update registrations r set push_state = null, push_next_at = null, push_error = null, push_link = null
  from held
  where r.org_id = $3 and r.id = held.id;

update platform_links l set sync_ticket = sync_ticket + 1, sync_tries = 0, sync_at = case when t.status <> 'canceled' then t.start_time + coalesce(t.duration_minutes, 60) * interval '1 minute' + $1 * interval '1 millisecond' end
  from webinars t
  where l.org_id = $2 and l.webinar_id = $3 and t.org_id = l.org_id and t.id = l.webinar_id;

insert into "outbox" ("org_id", "service", "handler", "payload", "created_at")
  values ($1, $2, $3, $4, $5);

select "l".*, "c"."platform"
  from "platform_links" as "l"
  inner join "platform_connections" as "c" on "c"."org_id" = "l"."org_id" and "c"."id" = "l"."connection_id"
  where "l"."org_id" = $1 and "l"."webinar_id" = $2;

select count(*) filter (where push_state = 'pending' or push_link is distinct
  from $1) as pending, count(*) filter (where push_state = 'registered' and push_link = $2) as registered, count(*) filter (where push_state = 'refused' and push_link = $3) as refused
  from registrations
  where org_id = $4 and webinar_id = $5;

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
