-- move_test_clock: 15 statements, 51 buffers
-- audit_log 7, broadcasts 3, delivery_lanes 5, delivery_queue 2, organizations 20, outbox 12, platform_links 1, wait_clocks 1

begin isolation level read committed read write;
set local statement_timeout = '30s';
set local jit = off;
set local max_parallel_workers_per_gather = 0;
select set_config('app.org_id', '…', true), set_config('role', 'rostrum_app', true);

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

select "id"
  from "organizations"
  where "id" = $1 for no key update;

select "clock_ahead_ms", "clock_moved_at"
  from "organizations"
  where "id" = $1;

update "organizations" set "clock_ahead_ms" = $1, "clock_moved_at" = $2
  where "id" = $3;

select "id", "revision"
  from "broadcasts"
  where "org_id" = $1 and "status" = $2 and "held_at" is null and "send_at" <= $3
  order by "send_at", "id";

insert into "outbox" ("org_id", "service", "handler", "payload", "created_at")
  values ($1, $2, $3, $4, $5);

select "lane"
  from "delivery_lanes"
  where "org_id" = $1
  order by "broadcast_id", "lane" for update;

update delivery_lanes set next_at = next_at + make_interval(secs => $1)
  where org_id = $2 and ( select q.id
  from delivery_queue q
  where q.org_id = delivery_lanes.org_id and q.broadcast_id = delivery_lanes.broadcast_id and q.lane = delivery_lanes.lane and (q.due_at, q.id) >= (delivery_lanes.from_due, delivery_lanes.from_id)
  limit 1) is not null;

select "broadcast_id", "lane"
  from "delivery_lanes"
  where "org_id" = $1 and "next_at" <= $2
  order by "next_at";

insert into "outbox" ("org_id", "service", "handler", "payload", "created_at")
  values ($1, $2, $3, $4, $5);

insert into outbox (org_id, service, handler, payload, created_at) select r.org_id, $1, $2, r.payload, $3
  from ( select d.org_id, d.next_at as since, jsonb_build_object('org_id', d.org_id, 'clock_id', d.id, 'at', to_char("d"."next_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as payload
  from wait_clocks d
  where d.org_id = $4 and d.next_at <= $5::timestamptz + make_interval(secs => $6)) r
  order by r.since;

select "webinar_id"
  from "platform_links"
  where "org_id" = $1 and "sync_at" <= $2
  order by "sync_at";

insert into "audit_log" ("org_id", "id", "at", "request_id", "actor_kind", "actor_id", "connection_id", "face", "address", "operation", "ids", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

commit;
